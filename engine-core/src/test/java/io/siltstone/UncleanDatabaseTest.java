package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.event.EngineListener;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    unpack("log-1-" + shape.name().toLowerCase(Locale.ROOT) + ".zip");
    // Twice: the first opening replays, and the second one sees what it has made of that.
    for (int opening = 0; opening < 2; opening++) {
      requireAllThere(shape, UncleanDatabase.options());
    }
  }

  @ParameterizedTest
  @EnumSource(UncleanDatabase.Shape.class)
  void aLogOfVersion1IsReadByAReadOnlyOpening(UncleanDatabase.Shape shape) throws IOException {
    unpack("log-1-" + shape.name().toLowerCase(Locale.ROOT) + ".zip");
    requireAllThere(shape, UncleanDatabase.options().toBuilder().readOnly(true).build());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everySegmentOfALogIsMissed(boolean isFlushed) throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Database dead = Database.open(disk, UncleanDatabase.options());
    UncleanDatabase.writeTables(dead, isFlushed);
    dead.sync();
    List<String> segments = logOf(disk.processDeath()).files();
    assertThat(segments).hasSizeGreaterThan(4);
    for (String segment : segments) {
      Directory left = disk.processDeath();
      logOf(left).delete(segment);
      assertThatThrownBy(() -> Database.open(left, UncleanDatabase.options()))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining(segment)
          .hasMessageContaining("missing");
      List<String> assumed = new ArrayList<>();
      DatabaseOptions lenient =
          UncleanDatabase.options().toBuilder()
              .lenient(true)
              .listener(
                  new EngineListener() {
                    @Override
                    public void recoveryAssumed(RecoveryAssumed event) {
                      assumed.add(event.assumption());
                    }
                  })
              .build();
      try (Database database = Database.open(left, lenient)) {
        assertThat(UncleanDatabase.expectedRows().entrySet())
            .containsAll(UncleanDatabase.rowsOf(database).entrySet());
      }
      assertThat(assumed).anySatisfy(text -> assertThat(text).contains(segment));
      // What was there is flushed, and the log begins anew.
      Database.open(left, UncleanDatabase.options()).close();
    }
    // The disk is gone, and no thread stays.
    assertThatThrownBy(dead::close).isInstanceOf(IOException.class);
  }

  private static Directory logOf(Directory root) throws IOException {
    return root.directory("commitlog");
  }

  @Test
  void aClosedDatabaseNeedsNoLog() throws IOException {
    try (Database database = Database.open(directory, UncleanDatabase.options())) {
      UncleanDatabase.writeTables(database, false);
    }
    Files.move(directory.resolve("commitlog"), directory.resolve("away"));
    for (int opening = 0; opening < 2; opening++) {
      requireAllThere(UncleanDatabase.Shape.TABLES, UncleanDatabase.options());
    }
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
