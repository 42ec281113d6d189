package io.siltstone.tools.inspect;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.Table;
import io.siltstone.explain.ReadTrace;
import io.siltstone.explain.SSTableRead;
import io.siltstone.explain.SSTableRead.ChunkRead;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * Prints a traced read, as text or JSON.
 *
 * @param rows number of rows that it returned
 * @param trace what it did
 * @param again what a repetition of the read did
 */
record TraceText(long rows, ReadTrace trace, ReadTrace again) {
  private static final double NANOS_PER_MICRO = 1000;
  private static final int MOST_CHUNKS = 20;

  /** Reads all rows of a query twice, and traces both reads. */
  static TraceText of(Table table, Query query) throws IOException {
    ReadTrace trace = new ReadTrace();
    long rows = read(table, query, trace);
    ReadTrace again = new ReadTrace();
    return new TraceText(Math.max(rows, read(table, query, again)), trace, again);
  }

  private static long read(Table table, Query query, ReadTrace trace) throws IOException {
    long rows = 0;
    try (LiveRows read = table.read(query, trace)) {
      while (read.hasNext()) {
        read.next();
        rows++;
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return rows;
  }

  private static String micros(long nanos) {
    return String.format(Locale.ROOT, "%.0f \u00b5s", nanos / NANOS_PER_MICRO);
  }

  void print(Terminal terminal) {
    terminal.format(
        "a read of it: %s in %s, the program just started; %s from disk; again: %s, %s",
        CountText.of(rows, "row"),
        micros(trace.nanos()),
        CountText.of(trace.bytesFromDisk(), "byte"),
        micros(again.nanos()),
        CountText.of(again.bytesFromDisk(), "byte"));
    for (ReadTrace.MemtableRead memtable : trace.memtables()) {
      terminal.format(
          "  %s: %s",
          memtable.isActive() ? "memtable" : "memtable being flushed",
          memtable.hasKey() ? "has the key" : "does not have the key");
    }
    for (SSTableRead table : trace.sstables()) {
      terminal.format("  %s: %s", table.name(), outcome(table));
      if (table.isSought()) {
        terminal.line("    " + index(table));
        int shown = 0;
        for (ChunkRead chunk : table.chunks()) {
          if (shown++ == MOST_CHUNKS) {
            terminal.format(
                "    and %s", CountText.of(table.chunks().size() - MOST_CHUNKS, "more chunk"));
            break;
          }
          terminal.line("    " + chunk(chunk));
        }
      }
    }
  }

  private static String outcome(SSTableRead of) {
    return switch (of.outcome()) {
      case READ -> "has the key, found after " + micros(of.seekNanos());
      case FALSE_POSITIVE ->
          "does not have the key: a false positive of its bloom filter, known after "
              + micros(of.seekNanos());
      case KEY_RANGE -> "skipped: the key is not between its first and last";
      case BLOOM_FILTER -> "skipped: its bloom filter does not have the key";
      case CLUSTERING_RANGE -> "skipped: it has nothing in the range of rows";
      case OLDER_THAN_DELETION -> "skipped: older than the deletion of the partition";
      case ROW_COMPLETE -> "skipped: older than the row that was found, which is complete";
    };
  }

  private static String index(SSTableRead of) {
    String blocks =
        of.indexBlocks() == 0
            ? ""
            : "; of "
                + CountText.of(of.indexBlocks(), "index block")
                + ", "
                + of.indexBlocksRead()
                + " searched";
    return (of.isFromKeyCache() ? "key cache hit" : "key cache miss")
        + (of.indexReads() == 0
            ? ""
            : "; index: "
                + CountText.of(of.indexReads(), "read")
                + ", "
                + CountText.of(of.indexBytes(), "byte"))
        + blocks;
  }

  private static String chunk(ChunkRead of) {
    return of.isCached()
        ? "chunk " + of.number() + ": cached"
        : "chunk "
            + of.number()
            + " at "
            + of.offset()
            + ": "
            + of.bytes()
            + " bytes from disk, "
            + micros(of.nanos());
  }

  void write(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("trace");
    json.writeNumberField("rows", rows);
    json.writeNumberField("microseconds", trace.nanos() / NANOS_PER_MICRO);
    json.writeNumberField("bytes_from_disk", trace.bytesFromDisk());
    json.writeNumberField("again_microseconds", again.nanos() / NANOS_PER_MICRO);
    json.writeNumberField("again_bytes_from_disk", again.bytesFromDisk());
    json.writeArrayFieldStart("memtables");
    for (ReadTrace.MemtableRead memtable : trace.memtables()) {
      json.writeStartObject();
      json.writeBooleanField("active", memtable.isActive());
      json.writeBooleanField("has_key", memtable.hasKey());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("sstables");
    for (SSTableRead table : trace.sstables()) {
      json.writeStartObject();
      json.writeStringField("sstable", table.name());
      json.writeStringField("outcome", table.outcome().name().toLowerCase(Locale.ROOT));
      if (table.isSought()) {
        writeSought(json, table);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeSought(JsonGenerator json, SSTableRead table) throws IOException {
    json.writeBooleanField("key_cache_hit", table.isFromKeyCache());
    json.writeNumberField("index_reads", table.indexReads());
    json.writeNumberField("index_bytes", table.indexBytes());
    json.writeNumberField("index_blocks", table.indexBlocks());
    json.writeNumberField("index_blocks_read", table.indexBlocksRead());
    json.writeNumberField("seek_microseconds", table.seekNanos() / NANOS_PER_MICRO);
    json.writeArrayFieldStart("chunks");
    for (ChunkRead chunk : table.chunks()) {
      json.writeStartObject();
      json.writeNumberField("number", chunk.number());
      json.writeBooleanField("cached", chunk.isCached());
      if (!chunk.isCached()) {
        json.writeNumberField("offset", chunk.offset());
        json.writeNumberField("bytes", chunk.bytes());
        json.writeNumberField("microseconds", chunk.nanos() / NANOS_PER_MICRO);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
