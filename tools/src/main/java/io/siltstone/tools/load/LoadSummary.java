package io.siltstone.tools.load;

import io.siltstone.bench.report.JsonDocument;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;

/**
 * Prints the result of a load, and its speed.
 *
 * @param seconds duration of the load
 */
record LoadSummary(LoadResult result, double seconds) {
  private static final double MEGABYTE = 1e6;

  void print(Terminal terminal) {
    terminal.format(
        "%s: %s%s, %s, %s read, %s of data in %d on disk (ratio %.3f),"
            + " %.2f s, %.0f rows/s, %.1f MB/s%s",
        result.output().dataFile(),
        CountText.of(result.rows(), "row"),
        result.skipped() == 0 ? "" : " (" + CountText.of(result.skipped(), "bad row") + " skipped)",
        CountText.of(result.partitions(), "partition"),
        CountText.of(result.inputBytes(), "byte"),
        CountText.of(result.output().dataBytes(), "byte"),
        result.output().onDiskBytes(),
        ratio(),
        seconds,
        result.rows() / seconds,
        result.inputBytes() / MEGABYTE / seconds,
        result.runs() == 0 ? "" : ", " + CountText.of(result.runs(), "sorted run"));
  }

  void printJson(Terminal terminal) throws IOException {
    JsonDocument.write(
        terminal.out(),
        json -> {
          json.writeStartObject();
          json.writeStringField("data_file", result.output().dataFile());
          json.writeNumberField("rows", result.rows());
          json.writeNumberField("bad_rows_skipped", result.skipped());
          json.writeNumberField("partitions", result.partitions());
          json.writeNumberField("input_bytes", result.inputBytes());
          json.writeNumberField("data_bytes", result.output().dataBytes());
          json.writeNumberField("on_disk_bytes", result.output().onDiskBytes());
          json.writeNumberField("compression_ratio", ratio());
          json.writeNumberField("seconds", seconds);
          json.writeNumberField("rows_per_second", result.rows() / seconds);
          json.writeNumberField("input_bytes_per_second", result.inputBytes() / seconds);
          json.writeNumberField("sorted_runs", result.runs());
          json.writeEndObject();
        });
  }

  private double ratio() {
    return (double) result.output().onDiskBytes() / result.output().dataBytes();
  }
}
