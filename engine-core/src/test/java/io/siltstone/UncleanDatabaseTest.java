package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Databases that earlier versions of the engine left with a commit log that was not closed open
 * with all that {@link UncleanDatabase} had synced.
 */
class UncleanDatabaseTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  @TempDir private Path directory;

  private void unpack(String archive) throws IOException {
    try (InputStream packed =
            Objects.requireNonNull(
                UncleanDatabaseTest.class.getResourceAsStream("unclean/" + archive), archive);
        ZipInputStream files = new ZipInputStream(packed)) {
      for (ZipEntry entry = files.getNextEntry(); entry != null; entry = files.getNextEntry()) {
        Path file = directory.resolve(entry.getName());
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.copy(files, file);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(UncleanDatabase.Shape.class)
  void aLogOfVersion1OpensWithAllItsData(UncleanDatabase.Shape shape) throws IOException {
    unpack("log-1-" + shape.name().toLowerCase(java.util.Locale.ROOT) + ".zip");
    // Twice: the first opening replays, and the second one sees what it has made of that.
    for (int opening = 0; opening < 2; opening++) {
      requireAllThere(shape, UncleanDatabase.options());
    }
  }

  @ParameterizedTest
  @EnumSource(UncleanDatabase.Shape.class)
  void aLogOfVersion1IsReadByAReadOnlyOpening(UncleanDatabase.Shape shape) throws IOException {
    unpack("log-1-" + shape.name().toLowerCase(java.util.Locale.ROOT) + ".zip");
    requireAllThere(shape, UncleanDatabase.options().toBuilder().readOnly(true).build());
  }

  private void requireAllThere(UncleanDatabase.Shape shape, DatabaseOptions options)
      throws IOException {
    try (Database database = Database.open(directory, options)) {
      if (shape == UncleanDatabase.Shape.PAIRS) {
        KeyValueStore store =
            KeyValueStore.in(database, KeyValueStore.KEYSPACE, KeyValueStore.TABLE);
        assertThat(UncleanDatabase.pairsOf(store)).isEqualTo(UncleanDatabase.expectedPairs());
      } else {
        assertThat(UncleanDatabase.rowsOf(database)).isEqualTo(UncleanDatabase.expectedRows());
      }
    }
  }
}
