/** The data model, SSTables and the embedded engine. Knows nothing of compaction strategies. */
module io.siltstone.core {
  requires static transitive org.jspecify;
  requires transitive io.siltstone.compress;
  requires com.github.benmanes.caffeine;
  requires jdk.jfr;
  requires org.slf4j;

  exports io.siltstone.type;
  exports io.siltstone.schema;
  exports io.siltstone.partitioner;
  exports io.siltstone.commitlog;
  exports io.siltstone.cursor;
  exports io.siltstone.rows;
  exports io.siltstone.explain;
  exports io.siltstone.cache;
  exports io.siltstone.mutation;
  exports io.siltstone.sstable;
  exports io.siltstone.sstable.format;
  exports io.siltstone.sstable.metadata;
  exports io.siltstone.sstable.data;
  exports io.siltstone.sstable.big;
  exports io.siltstone.event;
  exports io.siltstone.statistics;
  exports io.siltstone.history;
  exports io.siltstone.spi;
  exports io.siltstone;

  uses io.siltstone.spi.CompactorFactory;
}
