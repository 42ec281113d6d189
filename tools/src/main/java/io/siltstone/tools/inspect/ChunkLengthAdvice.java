package io.siltstone.tools.inspect;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.tools.terminal.Units;
import java.util.List;
import java.util.Map;

/**
 * Recommends compression and a chunk length. A read of a row fetches whole chunks, so chunks much
 * larger than the data it needs waste reads; smaller chunks compress worse and need more memory for
 * their offsets.
 */
final class ChunkLengthAdvice {
  /** A chunk length is worth a change if reads fetch less than this share of the present bytes. */
  static final double WORTH_READ_SHARE = 0.8;

  /**
   * The greatest growth of the data for which reads may fetch less: disk is paid for all data,
   * always.
   */
  static final double MOST_GROWTH = 1.15;

  /**
   * Alternatively, a change is worth it if the data shrinks to this share and reads fetch hardly
   * more.
   */
  static final double WORTH_DISK_SHARE = 0.85;

  /** The factor by which reads may fetch more in that case. */
  static final double MOST_MORE_READ = 1.1;

  /** The least data that is examined: less fits in few chunks. */
  static final long LEAST_DATA_BYTES = 256 * 1024;

  /** Data that does not compress below this ratio is not worth decompressing. */
  static final double NO_COMPRESSION_RATIO = 0.95;

  /** Data that compresses below this ratio is worth compressing. */
  static final double COMPRESSION_RATIO = 0.8;

  /** Share of the data with another compression than the table's from which on it is reported. */
  static final double OTHERWISE = 0.1;

  private final TableFacts facts;

  ChunkLengthAdvice(TableFacts facts) {
    this.facts = facts;
  }

  /** Returns advice according to the schema, and to recompress SSTables that differ from it. */
  Advice advice() {
    Advice advice = chunksOfSchema();
    boolean isSmall = facts.data().dataBytes() < LEAST_DATA_BYTES;
    if (isSmall
        || facts.data().otherBytes() < Math.max(1, OTHERWISE * facts.data().onDiskBytes())) {
      return advice;
    }
    String others =
        AdviceFormat.text(
            "%d of %d SSTables, %s, do not have the table's compression",
            facts.data().otherSSTables(),
            facts.data().sstables(),
            Units.bytes(facts.data().otherBytes()));
    if (advice.isChange()) {
      return advice.withReason(
          advice.reason() + "; " + others + ", the present figures ignore that");
    }
    double then =
        facts.isCompressed() ? facts.present().onDiskBytes() : (double) facts.data().dataBytes();
    return new Advice(
        "compression",
        "not-as-the-table",
        true,
        "recompress the SSTables with another compression",
        others + "; " + advice.reason(),
        List.of(new Advice.Effect("on_disk_bytes", facts.data().onDiskBytes(), then)),
        "",
        "siltstone recompress");
  }

  private Advice chunksOfSchema() {
    if (facts.chunks().sampledBytes() == 0) {
      return Advice.keep("chunk length", "no-data", "there is no data to compress");
    }
    if (facts.data().dataBytes() < LEAST_DATA_BYTES) {
      return Advice.keep(
          "chunk length",
          "small",
          AdviceFormat.text("any suits %s of data", Units.bytes(facts.data().dataBytes())));
    }
    if (!facts.isCompressed()) {
      return uncompressed();
    }
    ChunkFigures present = facts.present();
    double best =
        facts.chunks().lengths().stream().mapToDouble(ChunkFigures::ratio).min().orElse(1);
    if (best > NO_COMPRESSION_RATIO) {
      return new Advice(
          "compression",
          "does-not-compress",
          true,
          "turn compression off",
          AdviceFormat.text(
              "chunks of any length take %.0f %% of the data or more: compression is not"
                  + " worth it",
              100 * best),
          List.of(
              new Advice.Effect("on_disk_bytes", present.onDiskBytes(), facts.data().dataBytes())),
          AdviceFormat.alter(facts, "compression = {'enabled': 'false'}"),
          "siltstone recompress");
    }
    ChunkFigures smaller = smaller(present);
    boolean isWorth = smaller.bytesPerRead() <= WORTH_READ_SHARE * present.bytesPerRead();
    TableTraffic traffic = facts.traffic();
    boolean isRarelyRead = traffic != null && traffic.hasRareReads();
    boolean isCached = traffic != null && traffic.isCached();
    if (isWorth && !isRarelyRead && !isCached) {
      return change(
          "smaller-chunks",
          present,
          smaller,
          AdviceFormat.text(
              "a read needs %s of a partition of one SSTable and fetches whole chunks",
              Units.bytes(TableFacts.touchedBytes(facts.partitions().medianBytes()))));
    }
    ChunkFigures larger = larger(present, isRarelyRead);
    if (larger.onDiskBytes() <= WORTH_DISK_SHARE * present.onDiskBytes()) {
      return change(
          "larger-chunks",
          present,
          larger,
          "the data compresses much better in larger chunks, and "
              + (isRarelyRead
                  ? "reads are few: " + AdviceFormat.use(facts)
                  : "reads fetch hardly more"));
    }
    if (isWorth) {
      return isRarelyRead
          ? Advice.keep(
              "chunk length",
              "reads-are-rare",
              "smaller chunks serve reads: " + AdviceFormat.use(facts))
          : Advice.keep(
              "chunk length",
              "reads-are-cached",
              "smaller chunks serve reads from disk, and the chunk cache answers nearly"
                  + " all: "
                  + AdviceFormat.use(facts));
    }
    return Advice.keep(
        "chunk length",
        "chunks-suit",
        AdviceFormat.text(
            "chunk_length_in_kb %d suits: no other makes reads fetch less than %.0f %% of now, or"
                + " the data much smaller",
            present.chunkBytes() / 1024, 100 * WORTH_READ_SHARE));
  }

  /** Returns the chunk length with which reads fetch least while the data does not grow much. */
  private ChunkFigures smaller(ChunkFigures present) {
    ChunkFigures best = present;
    for (ChunkFigures each : facts.chunks().lengths()) {
      boolean isSmall =
          each.chunkBytes() >= leastChunk() && each.bytesPerRead() < best.bytesPerRead();
      if (isSmall && each.onDiskBytes() <= MOST_GROWTH * present.onDiskBytes()) {
        best = each;
      }
    }
    return best;
  }

  /**
   * Returns the chunk length with the smallest data while reads do not fetch more, unless these are
   * rare.
   */
  private ChunkFigures larger(ChunkFigures present, boolean isRarelyRead) {
    ChunkFigures best = present;
    for (ChunkFigures each : facts.chunks().lengths()) {
      if (each.onDiskBytes() < best.onDiskBytes()
          && (isRarelyRead || each.bytesPerRead() <= MOST_MORE_READ * present.bytesPerRead())) {
        best = each;
      }
    }
    return best;
  }

  /**
   * Returns the least sensible length: with smaller chunks than what a read needs, it fetches more
   * of them.
   */
  private int leastChunk() {
    return (int)
        Math.max(
            4096, Long.highestOneBit(TableFacts.touchedBytes(facts.partitions().medianBytes())));
  }

  private Advice uncompressed() {
    ChunkFigures sixteen = facts.with(CompressionOptions.DEFAULT.chunkLengthBytes());
    if (sixteen.ratio() > COMPRESSION_RATIO) {
      return Advice.keep(
          "compression",
          "does-not-compress",
          AdviceFormat.text(
              "compressed the data would take %.0f %% of now", 100 * sixteen.ratio()));
    }
    return new Advice(
        "compression",
        "compresses-well",
        true,
        "compress the data",
        AdviceFormat.text(
            "LZ4 compresses a sample to %.0f %% in chunks of 16 KiB", 100 * sixteen.ratio()),
        List.of(
            new Advice.Effect("on_disk_bytes", facts.data().onDiskBytes(), sixteen.onDiskBytes()),
            new Advice.Effect("metadata_bytes", 0, sixteen.metadataBytes())),
        AdviceFormat.alter(
            facts, "compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '16'}"),
        "siltstone recompress");
  }

  private Advice change(String rule, ChunkFigures now, ChunkFigures then, String reason) {
    Map<String, String> options =
        facts
            .schema()
            .options()
            .compression()
            .withChunkLengthInKb(then.chunkBytes() / 1024)
            .toMap();
    options.computeIfPresent("class", (key, name) -> name.substring(name.lastIndexOf('.') + 1));
    double share = bytesFromDiskPerRead(now) / now.bytesPerRead();
    return new Advice(
        "chunk length",
        rule,
        true,
        AdviceFormat.text(
            "chunk_length_in_kb %d instead of %d",
            then.chunkBytes() / 1024, now.chunkBytes() / 1024),
        reason,
        List.of(
            new Advice.Effect(
                "bytes_from_disk_per_read",
                now.bytesPerRead() * share,
                then.bytesPerRead() * share),
            new Advice.Effect("on_disk_bytes", now.onDiskBytes(), then.onDiskBytes()),
            new Advice.Effect("metadata_bytes", now.metadataBytes(), then.metadataBytes()),
            new Advice.Effect(
                "metadata_bytes_in_cassandra",
                now.cassandraMetadataBytes(),
                then.cassandraMetadataBytes())),
        AdviceFormat.alter(facts, "compression = " + AdviceFormat.map(options)),
        "siltstone recompress");
  }

  /** Returns the measured bytes if there are any; else an estimate with nothing cached. */
  private double bytesFromDiskPerRead(ChunkFigures now) {
    TableTraffic traffic = facts.traffic();
    return traffic != null && traffic.hasReads() && traffic.diskBytesPerRead() > 0
        ? traffic.diskBytesPerRead()
        : now.bytesPerRead() * Math.max(1, facts.perRead());
  }
}
