package io.siltstone.tools.terminal;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.liveset.DictionaryFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The compression dictionary that a table keeps beside its SSTables.
 *
 * @param path of its file
 * @param file what it has; null if it is damaged
 * @param damage what is wrong with it; null if nothing is
 */
public record KeptDictionary(Path path, @Nullable DictionaryFile file, @Nullable String damage) {
  /** Returns those in the directories of data files, in their order. */
  public static List<KeptDictionary> beside(Collection<Path> dataFiles, KeyFileOption keys)
      throws IOException {
    LinkedHashSet<Path> directories = new LinkedHashSet<>();
    dataFiles.forEach(each -> directories.add(each.resolveSibling("")));
    List<KeptDictionary> all = new ArrayList<>();
    for (Path each : directories) {
      Directory directory = keys.existing(each.toAbsolutePath().normalize());
      if (directory.exists(DictionaryFile.FILE)) {
        all.add(read(each.resolve(DictionaryFile.FILE), directory));
      }
    }
    return all;
  }

  private static KeptDictionary read(Path path, Directory directory) throws IOException {
    try {
      return new KeptDictionary(path, DictionaryFile.read(directory), null);
    } catch (CorruptFileException e) {
      return new KeptDictionary(
          path,
          null,
          e.getMessage()
              + "; no SSTable needs it, and the next training writes it anew: it can be deleted");
    }
  }

  /** Returns whether it is damaged. */
  public boolean isDamaged() {
    return damage != null;
  }

  /** Returns what it is, or what is wrong with it. */
  public String text() {
    if (file == null) {
      return Objects.requireNonNull(damage);
    }
    return (file.dictionary() == null ? "no dictionary has paid" : file.dictionary().toString())
        + ", last training "
        + Instant.ofEpochMilli(file.trainedMillis());
  }
}
