package io.siltstone.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is shown where it lies, and what is written anew. */
class ReconcilerTest {
  private static final RowEncoding ROWS = encoding(new EncodingStats(100, 0, 0));
  // Of another file: the same columns, and another base of timestamps.
  private static final RowEncoding OTHERS = encoding(new EncodingStats(40, 0, 0));
  private static final int A = 0;
  private static final int B = 1;
  private static final int TAGS = 2;
  private static final byte[] NOTHING = {};

  private final Reconciler reconciler = new Reconciler(new TableEncoding(ROWS, List.of()));

  private static RowEncoding encoding(EncodingStats stats) {
    return new RowEncoding(
        new SerializationHeader(
            CqlTypes.INT,
            List.of(),
            List.of(),
            List.of(
                new HeaderColumn("a", CqlTypes.TEXT),
                new HeaderColumn("b", CqlTypes.TEXT),
                new HeaderColumn("tags", CqlTypes.set(CqlTypes.TEXT))),
            stats),
        true);
  }

  @Test
  void aVersionThatWasWrittenOverAsAWholeIsLeftOut() throws IOException {
    Unfiltered old = row(OTHERS, 110, cell(A, 110, "a"), cell(B, 110, "b"));
    Unfiltered half = row(ROWS, DeletionTime.NO_TIMESTAMP, cell(B, 115, "half"));
    Unfiltered whole = row(OTHERS, 120, cell(A, 120, "x"), cell(B, 120, "y"));
    for (List<Unfiltered> order :
        List.of(
            List.of(old, half, whole),
            List.of(whole, old, half),
            List.of(half, whole, old),
            List.of(whole, half, old))) {
      assertThat(reconcile(order)).isSameAs(whole);
      assertThat(text(whole)).isEqualTo("120 0=x@120 1=y@120");
    }
  }

  @Test
  void columnsThatOnlyTheNewerVersionHasDoNotMatter() throws IOException {
    Unfiltered old = row(ROWS, 110, cell(B, 110, "b"));
    Unfiltered whole = row(ROWS, 120, cell(A, 120, "x"), cell(B, 120, "y"), cell(TAGS, 120, "t"));
    assertThat(reconcile(List.of(old, whole))).isSameAs(whole);
  }

  @Test
  void equalVersionsAreOneOfThem() throws IOException {
    Unfiltered one = row(ROWS, 110, cell(A, 110, "a"));
    Unfiltered same = row(OTHERS, 110, cell(A, 110, "a"));
    assertThat(reconcile(List.of(one, same))).isSameAs(one);
    assertThat(reconcile(List.of(same, one))).isSameAs(same);
  }

  @Test
  void whatSeveralVersionsSayIsWrittenAnew() throws IOException {
    Unfiltered old = row(OTHERS, 110, cell(A, 110, "a"), cell(B, 110, "b"));
    assertAnew(old, row(ROWS, 120, cell(A, 120, "x")), "120 0=x@120 1=b@110");
    // Its liveness is newer, a cell of it is not.
    assertAnew(old, row(ROWS, 120, cell(A, 105, "x"), cell(B, 120, "y")), "120 0=a@110 1=y@120");
    // All of its cells are newer, its liveness is not.
    assertAnew(
        old,
        row(ROWS, DeletionTime.NO_TIMESTAMP, cell(A, 120, "x"), cell(B, 120, "y")),
        "110 0=x@120 1=y@120");
  }

  @Test
  void theGreaterValueWinsAtOneTime() throws IOException {
    Unfiltered less = row(ROWS, 110, cell(A, 110, "a"), cell(B, 110, "b"));
    Unfiltered more = row(OTHERS, 110, cell(A, 110, "a"), cell(B, 110, "c"));
    assertThat(reconcile(List.of(less, more))).isSameAs(more);
    assertThat(reconcile(List.of(more, less))).isSameAs(more);
    assertAnew(less, row(OTHERS, 110, cell(A, 110, "A"), cell(B, 110, "c")), "110 0=a@110 1=c@110");
  }

  @Test
  void collectionsOfTwoVersionsAreMerged() throws IOException {
    assertAnew(
        row(ROWS, 110, cell(A, 110, "a"), cell(TAGS, 110, "old")),
        row(ROWS, 120, cell(A, 120, "x"), cell(TAGS, 120, "tag")),
        "120 0=x@120 2=old@110 2=tag@120");
  }

  @Test
  void anEmptyCollectionOfTheNewerVersionIsLeftOut() throws IOException {
    Unfiltered old = row(ROWS, 110, cell(A, 110, "a"));
    assertAnew(old, row(ROWS, 120, cell(A, 120, "x"), cell(TAGS, 120, null)), "120 0=x@120");
  }

  @Test
  void ofVersionsThatSayNothingNothingIsLeft() throws IOException {
    Unfiltered[] rows = {
      row(ROWS, DeletionTime.NO_TIMESTAMP), row(ROWS, DeletionTime.NO_TIMESTAMP)
    };
    assertThat(reconciler.reconcile(rows, 2, DeletionTime.NO_TIMESTAMP, Long.MAX_VALUE)).isNull();
  }

  private void assertAnew(Unfiltered one, Unfiltered other, String expected) throws IOException {
    for (List<Unfiltered> order : List.of(List.of(one, other), List.of(other, one))) {
      Unfiltered merged = reconcile(order);
      assertThat(merged).isNotSameAs(one).isNotSameAs(other);
      assertThat(text(merged)).isEqualTo(expected);
    }
  }

  private Unfiltered reconcile(List<Unfiltered> versions) throws IOException {
    for (Unfiltered version : versions) {
      version.rewind();
    }
    Unfiltered merged =
        reconciler.reconcile(
            versions.toArray(Unfiltered[]::new),
            versions.size(),
            DeletionTime.NO_TIMESTAMP,
            DeletionTime.NO_DELETION_TIME);
    if (merged == null) {
      throw new AssertionError("nothing is left of " + versions.size() + " versions");
    }
    return merged;
  }

  /** A cell; in the collection the text is its path, and null for none at all. */
  private record Cell(int column, long timestamp, @Nullable String text) {}

  private static Cell cell(int column, long timestamp, @Nullable String text) {
    return new Cell(column, timestamp, text);
  }

  private static Unfiltered row(RowEncoding encoding, long liveness, Cell... cells)
      throws IOException {
    UnfilteredEncoder encoder = new UnfilteredEncoder(encoding);
    encoder.beginRow();
    if (liveness != DeletionTime.NO_TIMESTAMP) {
      encoder.liveness(liveness, DeletionTime.NO_TTL, DeletionTime.NO_DELETION_TIME);
    }
    for (Cell cell : cells) {
      encoder.column(cell.column);
      if (cell.text != null) {
        byte[] bytes = cell.text.getBytes(StandardCharsets.UTF_8);
        byte[] path = cell.column == TAGS ? bytes : NOTHING;
        byte[] value = cell.column == TAGS ? NOTHING : bytes;
        encoder.cell(
            cell.timestamp,
            DeletionTime.NO_TTL,
            DeletionTime.NO_DELETION_TIME,
            path,
            0,
            path.length,
            value,
            0,
            value.length);
      }
    }
    EncodedUnfiltered encoded = encoder.finish(0);
    int length = encoded.length();
    Unfiltered row =
        new Unfiltered(encoding, (index, reason) -> new IOException("own row: " + reason));
    row.wrap(Arrays.copyOf(encoded.bytes(), length), 0, length);
    return row;
  }

  private static String text(Unfiltered row) throws IOException {
    StringBuilder text = new StringBuilder().append(row.livenessTimestamp());
    while (row.nextColumn()) {
      while (row.nextCell()) {
        boolean isPath = row.isComplex();
        text.append(' ')
            .append(row.columnIndex())
            .append('=')
            .append(
                new String(
                    row.bytes(),
                    isPath ? row.pathOffset() : row.valueOffset(),
                    isPath ? row.pathLength() : row.valueLength(),
                    StandardCharsets.UTF_8))
            .append('@')
            .append(row.cellTimestamp());
      }
    }
    return text.toString();
  }
}
