package io.siltstone.interop;

import io.siltstone.sstable.format.FormatVersion;
import java.util.List;
import java.util.Random;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.io.sstable.format.big.BigFormat;
import org.apache.cassandra.io.sstable.format.bti.BtiFormat;

/**
 * The format in which Cassandra writes SSTables from now on: BIG, or for half of the random tables
 * and scenarios BTI, if the node does not write the version of Cassandra 4, which has no BTI.
 * {@link CassandraTable#close} goes back to BIG.
 */
final class SelectedFormat {
  private SelectedFormat() {}

  static void big() {
    select(BigFormat.NAME);
  }

  static void bti() {
    select(BtiFormat.NAME);
  }

  private static void select(String name) {
    DatabaseDescriptor.setSelectedSSTableFormat(DatabaseDescriptor.getSSTableFormats().get(name));
  }

  /** Selects BTI if the seed is odd and the node has it. */
  static void bySeed(CassandraNode node, long seed) {
    if (hasBti(node) && (seed & 1) != 0) {
      bti();
    } else {
      big();
    }
  }

  static boolean hasBti(CassandraNode node) {
    return node.options().isSinceFive();
  }

  /** Returns a version that the node can read and writes. */
  static FormatVersion randomVersion(CassandraNode node, Random random) {
    List<FormatVersion> written = node.options().written();
    return written.get(hasBti(node) && random.nextBoolean() ? 1 : 0);
  }
}
