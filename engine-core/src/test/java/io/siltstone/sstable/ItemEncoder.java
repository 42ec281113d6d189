package io.siltstone.sstable;

import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.sstable.TableModel.Cell;
import io.siltstone.sstable.TableModel.Column;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Marker;
import io.siltstone.sstable.TableModel.Row;
import java.io.IOException;

/** Encodes rows and markers of a {@link TableModel}. Shows one at a time. */
public final class ItemEncoder {
  private final UnfilteredEncoder encoder;
  private final Unfiltered unfiltered;

  /** In the given encoding, which has the columns of the model's header. */
  public ItemEncoder(RowEncoding encoding) {
    this.encoder = new UnfilteredEncoder(encoding);
    this.unfiltered =
        new Unfiltered(
            encoding,
            (index, reason) ->
                new IOException("what was encoded cannot be read, at " + index + ": " + reason));
  }

  /** That encodes, with the bytes of the last item. */
  public UnfilteredEncoder encoder() {
    return encoder;
  }

  /** The item, encoded; valid until the next call. */
  public Unfiltered encode(Item item) throws IOException {
    if (item instanceof Marker marker) {
      encoder.marker(
          marker.clustering(),
          marker.deletion().timestamp(),
          marker.deletion().localTime(),
          marker.open().timestamp(),
          marker.open().localTime(),
          0);
    } else {
      encode((Row) item);
    }
    encoder.encoded().wrapWith(unfiltered);
    return unfiltered;
  }

  private void encode(Row row) {
    if (TableModel.isStatic(row)) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      encoder.clustering(row.clustering());
    }
    encoder.liveness(row.liveness(), row.ttl(), row.expiration());
    encoder.deletion(row.deletion().timestamp(), row.deletion().localTime(), false);
    for (Column column : row.columns()) {
      encoder.column(column.index());
      if (!column.deletion().isLive()) {
        encoder.complexDeletion(column.deletion().timestamp(), column.deletion().localTime());
      }
      for (Cell cell : column.cells()) {
        encoder.cell(
            cell.timestamp(),
            cell.ttl(),
            cell.localDeletionTime(),
            cell.path(),
            0,
            cell.path().length,
            cell.value(),
            0,
            cell.value().length);
      }
    }
    encoder.finish(0);
  }
}
