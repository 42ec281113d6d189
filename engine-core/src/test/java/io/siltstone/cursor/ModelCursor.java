package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.ItemEncoder;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Partition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows a {@link TableModel} as a cursor over a table would. */
public final class ModelCursor implements PartitionCursor {
  private final RowEncoding encoding;
  private final ItemEncoder encoder;
  private final Iterator<Partition> partitions;
  private final boolean reversed;
  private @Nullable Partition partition;
  private Iterator<Item> items = Collections.emptyIterator();
  private Unfiltered unfiltered;
  private boolean closed;

  /** All of the model; reversed, rows of each partition come from the last to the first. */
  public ModelCursor(TableModel model, boolean reversed) {
    this.encoding = new RowEncoding(model.header(), true);
    this.encoder = new ItemEncoder(encoding);
    this.partitions = model.partitions().iterator();
    this.reversed = reversed;
    this.unfiltered = new Unfiltered(encoding, (index, reason) -> new IOException(reason));
  }

  @Override
  public RowEncoding encoding() {
    return encoding;
  }

  @Override
  public boolean nextPartition() {
    if (!partitions.hasNext()) {
      items = Collections.emptyIterator();
      return false;
    }
    Partition next = partitions.next();
    partition = next;
    List<Item> all = new ArrayList<>(next.items());
    if (reversed) {
      Collections.reverse(all);
    }
    if (next.staticRow() != null) {
      all.add(0, next.staticRow());
    }
    items = all.iterator();
    return true;
  }

  private Partition present() {
    return Objects.requireNonNull(partition, "no partition");
  }

  @Override
  public PartitionKey key() {
    return present().key();
  }

  @Override
  public long deletionTimestamp() {
    return present().deletion().timestamp();
  }

  @Override
  public long deletionLocalTime() {
    return present().deletion().localTime();
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    if (!items.hasNext()) {
      return false;
    }
    unfiltered = encoder.encode(items.next());
    return true;
  }

  @Override
  public Unfiltered unfiltered() {
    return unfiltered;
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Whether somebody closed it. */
  public boolean isClosed() {
    return closed;
  }
}
