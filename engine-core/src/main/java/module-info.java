/** The data model, SSTables and the embedded engine. Knows nothing of compaction strategies. */
@SuppressWarnings("module") // Those who use the machinery are compiled later.
module io.siltstone.core {
  requires static transitive org.jspecify;
  requires transitive io.siltstone.compress;
  requires com.github.benmanes.caffeine;
  requires jdk.jfr;
  requires org.slf4j;

  exports io.siltstone;
  exports io.siltstone.commitlog;
  exports io.siltstone.event;
  exports io.siltstone.explain;
  exports io.siltstone.maintenance;
  exports io.siltstone.mutation;
  exports io.siltstone.partitioner;
  exports io.siltstone.rows;
  exports io.siltstone.schema;
  exports io.siltstone.sstable.format;
  exports io.siltstone.statistics;
  exports io.siltstone.type;

  // The machinery, for the other modules of Siltstone.
  exports io.siltstone.bytes to
      io.siltstone.compaction,
      io.siltstone.micrometer;
  exports io.siltstone.cache to
      io.siltstone.compaction,
      io.siltstone.jmx,
      io.siltstone.micrometer;
  exports io.siltstone.commitlog.segment to
      io.siltstone.compaction,
      io.siltstone.jmx,
      io.siltstone.micrometer;
  exports io.siltstone.cursor to
      io.siltstone.compaction,
      io.siltstone.jmx,
      io.siltstone.micrometer;
  exports io.siltstone.spi to
      io.siltstone.compaction,
      io.siltstone.jmx,
      io.siltstone.micrometer;
  exports io.siltstone.sstable to
      io.siltstone.compaction,
      io.siltstone.jmx,
      io.siltstone.micrometer;
  exports io.siltstone.sstable.data to
      io.siltstone.compaction,
      io.siltstone.jmx,
      io.siltstone.micrometer;
  exports io.siltstone.sstable.index to
      io.siltstone.compaction,
      io.siltstone.jmx,
      io.siltstone.micrometer;
  exports io.siltstone.sstable.metadata to
      io.siltstone.compaction,
      io.siltstone.jmx,
      io.siltstone.micrometer;

  uses io.siltstone.spi.CompactorFactory;
}
