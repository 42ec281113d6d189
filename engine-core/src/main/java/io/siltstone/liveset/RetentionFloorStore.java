package io.siltstone.liveset;

import io.siltstone.cursor.RetentionFloor;
import io.siltstone.event.EngineListener.CorruptionFound;
import io.siltstone.files.TextFile;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the {@linkplain RetentionFloor retention floor} of a table over restarts: in the file
 * {@value #FILE} beside the SSTables, with one line {@code type value}, as {@link
 * RetentionFloor#toString}, and a last line with its checksum.
 *
 * <p>The file is durable before a view has the floor, and so before a flush or compaction leaves
 * anything out. Safe for all threads: guarded by the lock of the live set.
 */
public final class RetentionFloorStore {
  /** The name of the file. */
  public static final String FILE = "retention_floor";

  private final Directory directory;
  private final CurrentView current;
  private final Optional<CorruptionFound> damage;

  RetentionFloorStore(Directory directory, CurrentView current, Optional<CorruptionFound> damage) {
    this.directory = directory;
    this.current = current;
    this.damage = damage;
  }

  /**
   * Returns the floor that the file of a directory contains; null if there is none.
   *
   * @throws CorruptFileException if it is damaged, or of another table
   */
  static @Nullable RetentionFloor read(Directory directory, TableSchema schema) throws IOException {
    if (!directory.exists(FILE)) {
      return null;
    }
    String lines = CheckedLines.read(directory, FILE);
    try {
      return RetentionFloor.parse(schema, lines.strip());
    } catch (IllegalArgumentException e) {
      throw CheckedLines.damaged(directory, FILE, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Returns the value of the floor that the file of a directory contains, decoded; empty if there
   * is none.
   *
   * @param clusteringTypes of the table
   * @throws CorruptFileException if it is damaged, or of another table
   */
  public static Optional<Object> valueIn(Directory directory, List<CqlType> clusteringTypes)
      throws IOException {
    if (!directory.exists(FILE)) {
      return Optional.empty();
    }
    String lines = CheckedLines.read(directory, FILE);
    if (clusteringTypes.isEmpty()) {
      throw CheckedLines.damaged(
          directory, FILE, "the SSTables of the table have no clustering column", null);
    }
    try {
      return Optional.of(RetentionFloor.parseValue(clusteringTypes.get(0), lines.strip()));
    } catch (IllegalArgumentException e) {
      throw CheckedLines.damaged(directory, FILE, String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the text of the file. */
  public static String textOf(RetentionFloor floor) {
    return CheckedLines.text(floor + "\n");
  }

  /** Removes what an interrupted write of the file has left. */
  static void removeTemporary(Directory directory) throws IOException {
    TextFile.removeTemporary(directory, FILE);
  }

  /**
   * Returns how the file was found damaged, so that the floor is unknown and hides nothing. Only a
   * lenient opening succeeds with a damaged file.
   */
  public Optional<CorruptionFound> damage() {
    return damage;
  }

  /** Returns the floor of the present view; null for none. */
  public @Nullable RetentionFloor present() {
    current.lock();
    try {
      return current.open().floor();
    } finally {
      current.unlock();
    }
  }

  /** Returns the value of the present floor; empty for none. */
  public Optional<Object> value() {
    return Optional.ofNullable(present()).map(RetentionFloor::value);
  }

  /**
   * Checks that an import brings nothing back that the floor of its source hides.
   *
   * @throws IllegalArgumentException if the source has a floor, and this table none or a lesser one
   */
  void requireNotBelow(Directory source, TableSchema schema) throws IOException {
    RetentionFloor theirs = read(source, schema);
    RetentionFloor ours = present();
    if (theirs != null && (ours == null || ours.compareTo(theirs) < 0)) {
      throw new IllegalArgumentException(
          source.path()
              + " has the retention floor "
              + theirs.literal()
              + ", below which it may have rows that would be shown here, where the floor is "
              + (ours == null ? "none" : ours.literal())
              + "; raise it first, or compact the source and remove its file "
              + FILE);
    }
  }

  /**
   * Raises the floor, durably. All views from now on have it.
   *
   * @return false if the table has this floor, or a greater one, already; then nothing changes
   * @throws io.siltstone.io.InDoubtException if it is unknown whether the file has the floor. The
   *     views have the one before, until the directory is opened again
   */
  public boolean raise(RetentionFloor floor) throws IOException {
    current.lock();
    try {
      View before = current.changeable();
      RetentionFloor present = before.floor();
      if (present != null && floor.compareTo(present) <= 0) {
        return false;
      }
      TextFile.replace(directory, FILE, textOf(floor));
      current.raise(floor);
      current.show(current.create(before.tracked()));
      before.retire();
      return true;
    } finally {
      current.unlock();
    }
  }
}
