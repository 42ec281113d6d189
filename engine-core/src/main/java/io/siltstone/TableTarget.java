package io.siltstone;

import io.siltstone.bulk.BulkTarget;
import io.siltstone.io.Directory;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.table.TableStore;
import java.io.IOException;
import java.util.List;

/** A table of an open database, as the target of a load. Called inside the database's gate. */
final class TableTarget implements BulkTarget {
  private final Engine engine;
  private final TableStore store;

  TableTarget(Engine engine, TableStore store) {
    this.engine = engine;
    this.store = store;
  }

  @Override
  public Directory directory() {
    return store.liveSet().directory();
  }

  @Override
  public FormatVersion version() {
    return engine.options.formatVersion();
  }

  @Override
  public Claim begin() throws IOException {
    var unused = engine.writePath();
    engine.requireNotFlushing();
    store.requireOpen();
    return store.liveSet().beginLoad();
  }

  @Override
  public void requireOpen() {
    if (engine.gate.isClosed()) {
      throw new IllegalStateException(engine.path + " is being closed, which ends the bulk load");
    }
    store.requireOpen();
  }

  @Override
  public void publish(Claim claim, List<Descriptor> written) throws IOException {
    engine.requireNotFlushing();
    engine.writePath().tables().commitLoad(store, claim, written);
  }

  @Override
  public void close() {
    // The table belongs to the database.
  }
}
