package io.siltstone.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedPeersTest {
  @TempDir private Path directory;

  private String markdown(String... engines) throws IOException {
    Samples<String> samples = new Samples<>();
    double rate = 1000;
    for (String engine : engines) {
      NamedValues values = new NamedValues().put("read_1.p50_us", rate / 100);
      for (String workload :
          List.of("load", "read_1", "read_2", "hot", "missing", "range_100", "scan", "mixed")) {
        values.put(workload + ".ops_per_s", rate);
      }
      samples.add(engine, values);
      rate += 1000;
    }
    Report.Builder report =
        Report.builder("Report", Machine.of(directory, "test", List.of("bench")));
    new PublishedPeers("Siltstone", samples).addTo(report);
    return report.build().markdown();
  }

  @Test
  void setsWhatThosePresentDoBesideWhatTheyDid() throws IOException {
    assertThat(markdown("Siltstone", "LMDB", "RocksDB"))
        .contains(
            "## Beside the published figures",
            "Published for RocksDB JNI 11.8",
            "ratios of this report")
        .contains("| RocksDB: all blocks cached | 166k/s | 3,000/s; Siltstone 1,000/s |")
        .contains("| 14.6 µs | 30.0 µs; Siltstone 10.0 µs |")
        .doesNotContain("Cassandra");
    assertThat(markdown("Siltstone", "Cassandra", "RocksDB"))
        .contains("| Cassandra: half reads, 2 threads | 62k/s | 2,000/s; Siltstone 1,000/s |")
        .contains("; and for Cassandra 5.0.9");
  }

  @Test
  void saysNothingWithoutThem() throws IOException {
    assertThat(markdown("Siltstone", "LMDB")).doesNotContain("published");
  }
}
