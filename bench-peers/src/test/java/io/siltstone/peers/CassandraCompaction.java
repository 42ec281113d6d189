package io.siltstone.peers;

import static java.util.Objects.requireNonNull;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.compaction.CompactionPeer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;

/**
 * A Cassandra node in this JVM without a network, which runs as long as the JVM. It calls only what
 * Cassandra 5.0 and 6.0 have in common: compiled with one version, it runs with the other.
 */
public final class CassandraCompaction implements CompactionPeer {
  private @Nullable LocalTable table;

  @Override
  public String name() {
    return "Cassandra";
  }

  @Override
  public List<String> jvmOptions() {
    List<String> options = new ArrayList<>(EmbeddedCassandra.JVM_OPTIONS);
    // Cassandra would log every step otherwise.
    options.add("-Dlogback.configurationFile=io/siltstone/peers/logback.xml");
    return options;
  }

  @Override
  public Optional<String> unavailable() {
    return EmbeddedCassandra.unavailable();
  }

  @Override
  public void start(Path directory, String cql, NamedValues parameters) throws Exception {
    // Version nb, like the input, because only then Cassandra may merge by cursors.
    LocalNode.start(directory, Map.of("storage_compatibility_mode", "CASSANDRA_4"));
    LocalNode.define(cql);
    table = LocalTable.named("rows");
  }

  @Override
  public String version() {
    return "Apache Cassandra "
        + FBUtilities.getReleaseVersionString()
        + (mergesByCursors() ? " with cursor_compaction_enabled" : "");
  }

  /** Returns whether Cassandra merges by cursors, as from 6.0 on unless that is turned off. */
  private static boolean mergesByCursors() {
    try {
      return Config.class.getField("cursor_compaction_enabled").getBoolean(new Config());
    } catch (NoSuchFieldException e) {
      return false;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void load(List<Path> files) throws Exception {
    requireNonNull(table).load(files);
  }

  @Override
  public void compact() {
    requireNonNull(table).compact();
  }

  @Override
  public List<Path> liveFiles() {
    return requireNonNull(table).liveFiles();
  }

  /** Does nothing: the node ends with the JVM. */
  @Override
  public void close() {}
}
