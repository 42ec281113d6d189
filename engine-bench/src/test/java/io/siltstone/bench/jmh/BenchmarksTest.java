package io.siltstone.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class BenchmarksTest {
  @Test
  void eachRunsOnceInASmallSize() throws Exception {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include("io\\.siltstone\\.bench\\.jmh\\..*")
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(1))
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true)
                    .param("rows", "300")
                    .param("chunkLengthKib", "4", "64")
                    .param("tables", "2")
                    .build())
            .run();
    assertThat(results)
        .extracting(result -> result.getParams().getBenchmark().replaceAll(".*\\.jmh\\.", ""))
        .containsOnly(
            "ChunkBenchmark.read",
            "ChunkBenchmark.write",
            "ColumnarBenchmark.columns",
            "ColumnarBenchmark.rows",
            "ColumnarBenchmark.rowsAlone",
            "CommitLogBenchmark.append",
            "MemtableBenchmark.read",
            "MemtableBenchmark.write",
            "MergeBenchmark.merge",
            "PointReadBenchmark.read",
            "SSTableBenchmark.scan",
            "SSTableBenchmark.write");
    assertThat(
            results.stream()
                .map(result -> result.getParams().getParam("compressor"))
                .filter(Objects::nonNull))
        .containsOnly("LZ4Compressor", "ZstdCompressor", "SnappyCompressor", "DeflateCompressor");
    assertThat(results)
        .allSatisfy(result -> assertThat(result.getPrimaryResult().getScore()).isPositive());
  }
}
