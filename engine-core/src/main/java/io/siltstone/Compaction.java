package io.siltstone;

import io.siltstone.spi.CompactorFactory;
import java.util.ServiceLoader;

/**
 * Compaction of a database, chosen with {@link DatabaseOptions#compaction()}: the service of the
 * module engine-compaction, or one of the values here, which need nothing from another module. Do
 * not implement it.
 */
@FunctionalInterface
@SuppressWarnings("exports")
public interface Compaction extends CompactorFactory {

  /**
   * Returns a compaction that compacts nothing. SSTables accumulate, and reads become slower. For
   * imports, for tests, and for databases that are compacted by other means. A request to compact
   * fails with an {@link UnsupportedOperationException}.
   */
  static Compaction none() {
    return host -> NoCompaction.INSTANCE;
  }

  /**
   * Returns the compaction that {@link ServiceLoader} finds, which is that of the module
   * engine-compaction if it is present. The search takes place each time a database is opened for
   * writing; if nothing is found, opening fails with an {@link IllegalStateException}.
   */
  static Compaction found() {
    return host -> FoundCompaction.find().create(host);
  }
}
