/**
 * Bytes and files: the file seam, off-heap buffers, compressors and chunked files; pools of
 * threads. Knows nothing of rows.
 */
@SuppressWarnings("module") // Those who use the machinery are compiled later.
module io.siltstone.compress {
  requires static transitive org.jspecify;
  requires static com.github.luben.zstd_jni;
  requires static org.xerial.snappy;
  requires io.netty.buffer;
  requires io.netty.common;
  requires org.lz4.java;
  requires org.slf4j;
  requires jdk.unsupported;

  exports io.siltstone.annotation;
  exports io.siltstone.io;
  exports io.siltstone.memory;
  exports io.siltstone.compress;

  // The machinery, for the other modules of Siltstone.
  exports io.siltstone.chunk to
      io.siltstone.core,
      io.siltstone.compaction,
      io.siltstone.jmx,
      io.siltstone.micrometer;
  exports io.siltstone.files to
      io.siltstone.core,
      io.siltstone.compaction,
      io.siltstone.kafka.streams,
      io.siltstone.testkit;
  exports io.siltstone.offheap to
      io.siltstone.core,
      io.siltstone.compaction,
      io.siltstone.testkit;
  exports io.siltstone.text to
      io.siltstone.core,
      io.siltstone.compaction;
  exports io.siltstone.threads to
      io.siltstone.core,
      io.siltstone.compaction;
}
