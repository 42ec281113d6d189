package io.siltstone.tools.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.UserType;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What deletions, expiry and dropped columns leave of rows that are written cell by cell. */
class OutputRowsTest {
  private static final long NOW = Loads.NOW;
  private static final byte[] NOTHING = {};

  private static final TableSchema TABLE =
      Loads.schema(
          "CREATE TABLE ks.t (k int, c int, s int static, v int, m set<int>, PRIMARY KEY (k, c))");

  private final SerializationHeader header =
      new SerializationHeader(
          CqlTypes.INT,
          List.of(CqlTypes.INT),
          List.of(new HeaderColumn("s", CqlTypes.INT)),
          List.of(
              new HeaderColumn("v", CqlTypes.INT),
              new HeaderColumn("m", CqlTypes.set(CqlTypes.INT))),
          EncodingStats.NONE);
  private final RowEncoding encoding = new RowEncoding(header, true);
  private final UnfilteredEncoder encoder = new UnfilteredEncoder(encoding);
  private final Unfiltered view = new Unfiltered(encoding, (at, reason) -> new IOException(reason));
  private final MemoryDirectory directory = new MemoryDirectory();

  private interface Rows {
    void write(SSTableWriter writer) throws IOException;
  }

  private static byte[] integer(int value) {
    byte[] bytes = new byte[Integer.BYTES];
    BigEndian.putInt(bytes, 0, value);
    return bytes;
  }

  private String export(Rows rows) throws IOException {
    return export(rows, new CancelFlag("stopped"));
  }

  private String export(Rows rows, CancelFlag stop) throws IOException {
    try (SSTableWriter writer =
        SSTableWriter.create(
            directory,
            Descriptor.of(FormatVersion.OA, 1),
            header,
            Partitioner.BYTE_ORDERED,
            SSTableWriterOptions.builder().build(),
            Loads.MEMORY)) {
      rows.write(writer);
      writer.commit();
    }
    return Loads.export(TABLE, directory, "oa-1-big", RowText.of(InputFormat.JSONL), NOW, stop);
  }

  @Test
  void itStopsAlsoWhereNothingIsAlive() {
    CancelFlag stop = new CancelFlag("interrupted");
    stop.ask();
    assertThatThrownBy(
            () ->
                export(
                    writer -> {
                      partition(writer, 1, 100);
                      row(1);
                      live(0, 100, 1);
                      add(writer);
                      writer.endPartition();
                    },
                    stop))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("interrupted");
  }

  private static void partition(SSTableWriter writer, int key, long deletedAt) throws IOException {
    byte[] bytes = integer(key);
    writer.startPartition(
        PartitionKey.of(bytes, Partitioner.BYTE_ORDERED.token(bytes, 0, bytes.length)),
        deletedAt,
        deletedAt == DeletionTime.NO_TIMESTAMP ? DeletionTime.NO_DELETION_TIME : NOW);
  }

  private void row(int clustering) {
    encoder.beginRow();
    encoder.clusteringValue(integer(clustering), 0, Integer.BYTES);
  }

  private void live(int column, long timestamp, int value) {
    cell(column, timestamp, DeletionTime.NO_TTL, DeletionTime.NO_DELETION_TIME, value);
  }

  private void cell(int column, long timestamp, int ttl, long localTime, int value) {
    encoder.column(column);
    encoder.cell(timestamp, ttl, localTime, NOTHING, 0, 0, integer(value), 0, Integer.BYTES);
  }

  private void add(SSTableWriter writer) throws IOException {
    encoder.finish(0).wrapWith(view);
    writer.add(view);
  }

  private void marker(SSTableWriter writer, ClusteringKind kind, int at, long ends, long begins)
      throws IOException {
    Clustering bound = Clustering.of(kind, encoding, List.of(integer(at)));
    encoder.marker(bound, ends, NOW, begins, NOW, 0).wrapWith(view);
    writer.add(view);
  }

  @Test
  void deletionsHideWhatIsNotNewer() throws IOException {
    String exported =
        export(
            writer -> {
              partition(writer, 1, 100);
              encoder.beginStaticRow();
              live(0, 101, 7);
              add(writer);
              row(1); // as old as the partition's deletion
              encoder.liveness(100, 0, DeletionTime.NO_DELETION_TIME);
              live(0, 100, 1);
              add(writer);
              row(2); // one cell is newer
              encoder.liveness(100, 0, DeletionTime.NO_DELETION_TIME);
              live(0, 101, 2);
              add(writer);
              marker(writer, ClusteringKind.INCL_START_BOUND, 3, 200, 200);
              row(3);
              encoder.liveness(200, 0, DeletionTime.NO_DELETION_TIME);
              add(writer);
              row(4);
              encoder.liveness(201, 0, DeletionTime.NO_DELETION_TIME);
              live(0, 200, 4);
              add(writer);
              marker(writer, ClusteringKind.EXCL_END_INCL_START_BOUNDARY, 5, 200, 300);
              row(5);
              encoder.liveness(300, 0, DeletionTime.NO_DELETION_TIME);
              add(writer);
              marker(writer, ClusteringKind.INCL_END_BOUND, 5, 300, 300);
              row(6);
              encoder.liveness(150, 0, DeletionTime.NO_DELETION_TIME);
              add(writer);
              row(7); // a row deletion below its liveness
              encoder.liveness(160, 0, DeletionTime.NO_DELETION_TIME);
              encoder.deletion(155, NOW, false);
              live(0, 155, 7);
              add(writer);
              writer.endPartition();
              partition(writer, 2, 100);
              row(1);
              encoder.liveness(99, 0, DeletionTime.NO_DELETION_TIME);
              add(writer);
              writer.endPartition();
            });
    assertThat(exported)
        .isEqualTo(
            """
            {"k": 1, "c": 2, "s": 7, "v": 2}
            {"k": 1, "c": 4, "s": 7}
            {"k": 1, "c": 6, "s": 7}
            {"k": 1, "c": 7, "s": 7}
            """);
  }

  @Test
  void collectionsLoseWhatTheirDeletionCovers() throws IOException {
    String exported =
        export(
            writer -> {
              partition(writer, 1, DeletionTime.NO_TIMESTAMP);
              row(1);
              encoder.column(1);
              encoder.complexDeletion(50, NOW);
              element(50, 10, DeletionTime.NO_DELETION_TIME);
              element(51, 11, DeletionTime.NO_DELETION_TIME);
              element(52, 12, NOW);
              add(writer);
              row(2); // all elements are gone, and so the row
              encoder.column(1);
              encoder.complexDeletion(50, NOW);
              element(50, 10, DeletionTime.NO_DELETION_TIME);
              add(writer);
              writer.endPartition();
            });
    assertThat(exported).isEqualTo("{\"k\": 1, \"c\": 1, \"m\": [11]}\n");
  }

  private void element(long timestamp, int element, long localTime) {
    encoder.cell(timestamp, DeletionTime.NO_TTL, localTime, integer(element), 0, 4, NOTHING, 0, 0);
  }

  @Test
  void whatHasExpiredIsGoneAndWhatExpiresLaterIsNot() throws IOException {
    String exported =
        export(
            writer -> {
              partition(writer, 1, DeletionTime.NO_TIMESTAMP);
              encoder.beginStaticRow();
              cell(0, 1, 10, NOW, 7);
              add(writer);
              row(1);
              encoder.liveness(1, 10, NOW);
              cell(0, 1, 10, NOW, 1);
              add(writer);
              row(2);
              encoder.liveness(1, 10, NOW);
              cell(0, 1, 11, NOW + 1, 2);
              add(writer);
              row(3);
              encoder.liveness(1, 11, NOW + 1);
              cell(0, 1, DeletionTime.NO_TTL, NOW, 0);
              add(writer);
              writer.endPartition();
            });
    assertThat(exported).isEqualTo("{\"k\": 1, \"c\": 2, \"v\": 2}\n{\"k\": 1, \"c\": 3}\n");
  }

  @Test
  void aPartitionOfStaticColumnsIsARow() throws IOException {
    String exported =
        export(
            writer -> {
              partition(writer, 1, DeletionTime.NO_TIMESTAMP);
              encoder.beginStaticRow();
              live(0, 1, 7);
              add(writer);
              row(1);
              encoder.deletion(1, NOW, false);
              add(writer);
              writer.endPartition();
            });
    assertThat(exported).isEqualTo("{\"k\": 1, \"s\": 7}\n");
  }

  private static byte[] part(int length, String text) {
    byte[] bytes = new byte[Short.BYTES + text.length()];
    BigEndian.putShort(bytes, 0, length);
    System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, bytes, 2, text.length());
    return bytes;
  }

  private static void assertDamaged(
      String cql, SerializationHeader of, byte[] key, Consumer<UnfilteredEncoder> cells)
      throws IOException {
    MemoryDirectory damaged = new MemoryDirectory();
    RowEncoding rows = new RowEncoding(of, true);
    UnfilteredEncoder encoder = new UnfilteredEncoder(rows);
    Unfiltered view = new Unfiltered(rows, (at, reason) -> new IOException(reason));
    try (SSTableWriter writer =
        SSTableWriter.create(
            damaged,
            Descriptor.of(FormatVersion.OA, 1),
            of,
            Partitioner.BYTE_ORDERED,
            SSTableWriterOptions.builder().build(),
            Loads.MEMORY)) {
      writer.startPartition(
          PartitionKey.of(key, Partitioner.BYTE_ORDERED.token(key, 0, key.length)),
          DeletionTime.NO_TIMESTAMP,
          DeletionTime.NO_DELETION_TIME);
      encoder.beginRow();
      encoder.clusteringValue(integer(1), 0, Integer.BYTES);
      encoder.liveness(1, DeletionTime.NO_TTL, DeletionTime.NO_DELETION_TIME);
      cells.accept(encoder);
      encoder.finish(0).wrapWith(view);
      writer.add(view);
      writer.endPartition();
      writer.commit();
    }
    assertThatThrownBy(
            () -> Loads.export(Loads.schema(cql), damaged, "oa-1-big", InputFormat.JSONL, NOW))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("oa-1-big");
  }

  @Test
  void aKeyThatIsNotOfTheColumnsIsDamage() throws IOException {
    SerializationHeader of =
        new SerializationHeader(
            CqlTypes.composite(List.of(CqlTypes.TEXT, CqlTypes.TEXT)),
            List.of(CqlTypes.INT),
            List.of(),
            List.of(new HeaderColumn("v", CqlTypes.INT)),
            EncodingStats.NONE);
    for (byte[] key : List.of(part(5, "a"), part(0xffff, "a"), part(1, "a\0"), part(1, "a"))) {
      assertDamaged(
          "CREATE TABLE ks.t (a text, b text, c int, v int, PRIMARY KEY ((a, b), c))",
          of,
          key,
          encoder -> {});
    }
  }

  @Test
  void cellsOfNoFieldAreDamage() throws IOException {
    CqlType type =
        CqlTypes.userType(
            "ks",
            "u",
            List.of(new UserType.Field("a", CqlTypes.INT), new UserType.Field("b", CqlTypes.INT)));
    SerializationHeader of =
        new SerializationHeader(
            CqlTypes.INT,
            List.of(CqlTypes.INT),
            List.of(),
            List.of(new HeaderColumn("u", type)),
            EncodingStats.NONE);
    byte[][][] damages = {
      {{0, 1}, {0, 0}}, // descending
      {{0, 0}, {0, 0}},
      {{0, 2}},
      {{-1, -1}},
      {{1}},
    };
    for (byte[][] paths : damages) {
      assertDamaged(
          "CREATE TYPE ks.u (a int, b int);"
              + " CREATE TABLE ks.t (k int, c int, u u, PRIMARY KEY (k, c))",
          of,
          integer(1),
          encoder -> {
            encoder.column(0);
            for (byte[] path : paths) {
              encoder.cell(
                  1,
                  DeletionTime.NO_TTL,
                  DeletionTime.NO_DELETION_TIME,
                  path,
                  0,
                  path.length,
                  integer(7),
                  0,
                  Integer.BYTES);
            }
          });
    }
  }
}
