package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.model.Contents;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An import takes whole and undamaged SSTables, or nothing. */
class DamagedImportTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final String DAMAGED = "oa-2-big-";
  private static final String LZ4 = "{'class': 'LZ4Compressor', 'chunk_length_in_kb': 4}";
  private static final String NONE = "{'enabled': false}";
  private static final int PARTITIONS = 40;

  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .chunkCacheBytes(0)
          .columnIndexSizeBytes(1024)
          .build();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private final MemoryDirectory disk = new MemoryDirectory();
  private Database database;

  @BeforeEach
  void open() throws IOException {
    database = Database.open(disk.directory("db"), OPTIONS);
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private Table create(String name, String compression) throws IOException {
    return database.createTable(
        "CREATE TABLE w."
            + name
            + " (k int, c int, v text, PRIMARY KEY (k, c)) WITH crc_check_chance = 0.0"
            + " AND compression = "
            + compression);
  }

  /** Makes a directory of two SSTables, the second of which is the one to be damaged. */
  private Directory source(String compression, int rows) throws IOException {
    Table source = create("source", compression);
    for (int table = 0; table < 2; table++) {
      for (int k = table * PARTITIONS; k < (table + 1) * PARTITIONS; k++) {
        for (int c = 0; c < rows; c++) {
          source.write(source.mutation(k).insert(c).set("v", "value " + k + " of " + c).build());
        }
        if (rows > 1) {
          source.write(
              source.mutation(k).deleteRange(ClusteringRange.all().from(rows - 2)).build());
        }
      }
      source.flush();
    }
    database.checkpoint(disk.directory("backup"));
    return onlyTable(disk.directory("backup"));
  }

  private static Directory onlyTable(Directory root) throws IOException {
    Directory keyspace = root.directory("data").directory("w");
    return keyspace.directory(keyspace.directories().get(0));
  }

  private static byte[] bytes(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.length());
      file.readFully(0, bytes);
      return bytes.array();
    }
  }

  private static void put(Directory directory, String name, byte[] bytes) throws IOException {
    if (directory.exists(name)) {
      directory.delete(name);
    }
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
    }
  }

  private Directory copy(Directory source) throws IOException {
    Directory copy = disk.directory("copy");
    for (String name : copy.files()) {
      copy.delete(name);
    }
    for (String name : source.files()) {
      put(copy, name, bytes(source, name));
    }
    return copy;
  }

  /** Reads all rows in one scan, and each partition and row by its key. */
  private static List<String> read(Table table) throws IOException {
    List<String> lines = new ArrayList<>(Contents.of(table));
    for (int k = 0; k < 2 * PARTITIONS; k++) {
      int at = lines.size();
      Query partition = table.query().partition(k).build();
      try (LiveRows rows = table.read(partition)) {
        while (rows.hasNext()) {
          lines.add(rows.next().toString());
        }
      }
      for (int c = lines.size() - at - 1; c >= 0; c -= 7) {
        lines.add(String.valueOf(table.get(table.query().partition(k).row(c).build())));
      }
    }
    return lines;
  }

  /**
   * Flips one bit at a time in each component of the second SSTable. Each import is refused with
   * the file's name and takes nothing, or what it takes reads as the undamaged rows do.
   */
  @ParameterizedTest
  @CsvSource({"LZ4, 1, DIGEST", "NONE, 1, DIGEST", "LZ4, 60, FULL", "NONE, 60, FULL"})
  void aFlippedBitIsRefusedByNameOrHarmless(String kind, int rows, VerificationLevel level)
      throws IOException {
    String compression = kind.equals("LZ4") ? LZ4 : NONE;
    Directory source = source(compression, rows);
    Table target = create("target", compression);
    target.importTables(copy(source), level);
    List<String> expected = read(target);
    target.truncate();
    int refused = 0;
    for (String name : source.files()) {
      if (!name.startsWith(DAMAGED)) {
        continue;
      }
      byte[] whole = bytes(source, name);
      int step = SCALE > 1 || whole.length < 12 ? 1 : whole.length / 12;
      for (int at = 0; at < whole.length; at += step) {
        byte[] damaged = whole.clone();
        damaged[at] ^= (byte) (1 << at % Byte.SIZE);
        Directory copy = copy(source);
        put(copy, name, damaged);
        List<String> files = copy.files();
        String what = "bit " + at % Byte.SIZE + " of byte " + at + " of " + name;
        try {
          target.importTables(copy, level);
          assertThat(read(target)).as(what).isEqualTo(expected);
          target.truncate();
        } catch (CorruptSSTableException e) {
          refused++;
          assertThat(e).as(what).hasMessageContaining("copy/" + DAMAGED);
          assertThat(target.live().tables()).as(what).isEmpty();
        } catch (IOException | IllegalArgumentException e) {
          // A version or a partitioner that is not known, or a column that the table has not.
          refused++;
          assertThat(e).as(what).hasMessageContaining(DAMAGED);
          assertThat(target.live().tables()).as(what).isEmpty();
        }
        assertThat(copy.files()).as(what).isEqualTo(files);
        assertThat(bytes(copy, name)).as(what).isEqualTo(damaged);
      }
    }
    assertThat(refused).isGreaterThan(50);
  }

  /** What is damaged is found by reading only, as with a checkpoint that nobody has verified. */
  @Test
  void withoutVerificationDamageInTheDataIsTaken() throws IOException {
    Directory source = copy(source(LZ4, 1));
    flip(source, DAMAGED + "Data.db", 50);
    Table target = create("target", LZ4);
    assertThat(target.importTables(source, VerificationLevel.NONE)).hasSize(2);
    // The table is not compared with the checksums when it is read, either.
    target.truncate();
    assertThatThrownBy(() -> target.importTables(source))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("copy/" + DAMAGED + "Data.db");
  }

  /** A missing digest, or missing checksums, must not mean that nothing is compared. */
  @ParameterizedTest
  @ValueSource(strings = {"LZ4", "NONE"})
  void damageIsFoundWithoutADigestToo(String kind) throws IOException {
    String compression = kind.equals("LZ4") ? LZ4 : NONE;
    Directory original = source(compression, 1);
    Table target = create("target", compression);
    int length = bytes(original, DAMAGED + "Data.db").length;
    for (String missing : List.of("Digest.crc32", "CRC.db")) {
      for (int at = 0; at < length; at += 11) {
        Directory source = copy(original);
        if (source.exists(DAMAGED + missing)) {
          source.delete(DAMAGED + missing);
          source.delete(DAMAGED + "TOC.txt");
        }
        flip(source, DAMAGED + "Data.db", at);
        requireRefused(target, source, "byte " + at + " without " + missing);
      }
    }
    if (kind.equals("NONE")) {
      // Where nothing is left that proves the data, rows are parsed.
      for (int at : new int[] {1, 7, 13}) {
        Directory source = copy(original);
        source.delete(DAMAGED + "Digest.crc32");
        source.delete(DAMAGED + "CRC.db");
        source.delete(DAMAGED + "TOC.txt");
        flip(source, DAMAGED + "Data.db", at);
        requireRefused(target, source, "byte " + at + " without both");
      }
    }
  }

  private static void requireRefused(Table target, Directory source, String what)
      throws IOException {
    assertThatThrownBy(() -> target.importTables(source))
        .as(what)
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("copy/" + DAMAGED);
    assertThat(target.live().tables()).as(what).isEmpty();
  }

  private static void flip(Directory directory, String name, int at) throws IOException {
    byte[] bytes = bytes(directory, name);
    bytes[at] ^= 1;
    put(directory, name, bytes);
  }

  /** An SSTable that is refused must not have moved the clock of automatic timestamps, either. */
  @Test
  void anImportThatIsRefusedDoesNotMoveTheClock() throws IOException {
    long ahead = (System.currentTimeMillis() + 3_600_000) * 1000;
    try (Database other = Database.open(disk.directory("other"), OPTIONS)) {
      Table source =
          other.createTable("CREATE TABLE w.t (k int, c int, v text, PRIMARY KEY (k, c))");
      source.write(source.mutation(1).timestamp(ahead).insert(1).set("v", "later").build());
      other.checkpoint(disk.directory("backup"));
    }
    Directory copy = copy(onlyTable(disk.directory("backup")));
    flip(copy, "oa-1-big-Digest.crc32", 0);
    Table target = create("target", LZ4);
    assertThatThrownBy(() -> target.importTables(copy)).hasMessageContaining("oa-1-big-");
    target.write(target.mutation(1).insert(1).set("v", "now").build());
    target.flush();
    assertThat(target.live().tables().get(0).maxTimestamp()).isLessThan(ahead);
  }
}
