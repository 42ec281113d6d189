package io.siltstone.kafka.judges;

import io.siltstone.kafka.streams.SiltstoneDslStoreSuppliers;
import io.siltstone.kafka.streams.SiltstoneStores;
import java.time.Duration;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.SessionBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.VersionedBytesStoreSupplier;
import org.apache.kafka.streams.state.WindowBytesStoreSupplier;

/** The storage engines below Kafka's state stores: the judge, and the one that is judged. */
public enum StoreEngine {
  /** Kafka's own persistent stores. */
  ROCKS_DB {
    @Override
    public Class<? extends DslStoreSuppliers> dslStoreSuppliers() {
      return BuiltInDslStoreSuppliers.RocksDBDslStoreSuppliers.class;
    }

    @Override
    public KeyValueBytesStoreSupplier keyValueStore(String name) {
      return Stores.persistentKeyValueStore(name);
    }

    @Override
    public WindowBytesStoreSupplier windowStore(
        String name, Duration retention, Duration windowSize, boolean retainDuplicates) {
      return Stores.persistentWindowStore(name, retention, windowSize, retainDuplicates);
    }

    @Override
    public SessionBytesStoreSupplier sessionStore(String name, Duration retention) {
      return Stores.persistentSessionStore(name, retention);
    }

    @Override
    public VersionedBytesStoreSupplier versionedStore(String name, Duration history) {
      return Stores.persistentVersionedKeyValueStore(name, history);
    }
  },

  /** Siltstone's. */
  SILTSTONE {
    @Override
    public Class<? extends DslStoreSuppliers> dslStoreSuppliers() {
      return SiltstoneDslStoreSuppliers.class;
    }

    @Override
    public KeyValueBytesStoreSupplier keyValueStore(String name) {
      return SiltstoneStores.persistentKeyValueStore(name);
    }

    @Override
    public WindowBytesStoreSupplier windowStore(
        String name, Duration retention, Duration windowSize, boolean retainDuplicates) {
      return SiltstoneStores.persistentWindowStore(name, retention, windowSize, retainDuplicates);
    }

    @Override
    public SessionBytesStoreSupplier sessionStore(String name, Duration retention) {
      return SiltstoneStores.persistentSessionStore(name, retention);
    }

    @Override
    public VersionedBytesStoreSupplier versionedStore(String name, Duration history) {
      return SiltstoneStores.persistentVersionedKeyValueStore(name, history);
    }
  };

  /** Returns the value of {@code dsl.store.suppliers.class}. */
  public abstract Class<? extends DslStoreSuppliers> dslStoreSuppliers();

  /** Returns the supplier of a key-value store of bytes. */
  public abstract KeyValueBytesStoreSupplier keyValueStore(String name);

  /** Returns the supplier of a window store. */
  public abstract WindowBytesStoreSupplier windowStore(
      String name, Duration retention, Duration windowSize, boolean retainDuplicates);

  /** Returns the supplier of a session store. */
  public abstract SessionBytesStoreSupplier sessionStore(String name, Duration retention);

  /** Returns the supplier of a versioned store. */
  public abstract VersionedBytesStoreSupplier versionedStore(String name, Duration history);
}
