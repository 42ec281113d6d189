package io.siltstone.bench.compaction;

import static java.util.Objects.requireNonNull;

import io.siltstone.bench.child.NamedValues;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A compaction peer that takes the place of Cassandra and loses the rows of an SSTable, if its JVM
 * has the option that it requires.
 */
public final class LosingCompaction implements CompactionPeer {
  private final SiltstoneCompaction engine = new SiltstoneCompaction();

  @Override
  public String name() {
    return "Cassandra";
  }

  @Override
  public List<String> jvmOptions() {
    return List.of("-Dlosing=true");
  }

  @Override
  public void start(Path directory, String cql, NamedValues parameters) {
    engine.start(directory, cql, parameters);
  }

  @Override
  public String version() {
    return "for tests";
  }

  @Override
  public void load(List<Path> files) throws IOException {
    String lost = requireNonNull(files.get(0).getFileName()).toString().split("-", 3)[1];
    engine.load(
        Boolean.getBoolean("losing")
            ? files.stream().filter(file -> !file.toString().contains("nb-" + lost + "-")).toList()
            : files);
  }

  @Override
  public void compact() throws IOException {
    engine.compact();
  }

  @Override
  public List<Path> liveFiles() throws IOException {
    return engine.liveFiles();
  }

  @Override
  public void close() throws IOException {
    engine.close();
  }
}
