package io.siltstone.bench.compaction;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import io.siltstone.schema.SchemaParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Computes a digest of all rows of a directory of SSTables, which this engine reads.
 *
 * <pre>
 *   directory  of the files
 *   cql        CREATE TABLE statement
 * </pre>
 *
 * Returns {@code sstables}, {@code rows}, and {@code sha256} over the content of all columns of all
 * rows, in their order, with the timestamp of the column {@code value}. SSTables with the same
 * content for a reader have the same digest.
 */
public final class RowDigest implements Measurement {
  private static final DatabaseOptions READ_ONLY =
      DatabaseOptions.builder().readOnly(true).compaction(Compaction.none()).build();

  @Override
  public NamedValues run(NamedValues parameters) throws IOException {
    MessageDigest digest = sha256();
    try (Database database =
        Database.openTable(
            Path.of(parameters.text("directory")),
            SchemaParser.parse(parameters.text("cql")).onlyTable(),
            READ_ONLY)) {
      Table table = database.tables().get(0);
      long rows = 0;
      try (LiveRows all = table.read(table.query().build())) {
        ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
        while (all.hasNext()) {
          add(all.next(), digest, number);
          rows++;
        }
      }
      return new NamedValues()
          .put("sstables", table.statistics().sstables().count())
          .put("rows", rows)
          .put("sha256", HexFormat.of().formatHex(digest.digest()));
    }
  }

  private static void add(Row row, MessageDigest digest, ByteBuffer number) {
    for (int i = 0; i < row.columns().size(); i++) {
      ByteBuffer value = row.getSerialized(i);
      // The length is hashed too, so that texts which are divided differently have different
      // hashes.
      add(value == null ? -1 : value.remaining(), digest, number);
      if (value != null) {
        digest.update(value);
      }
    }
    add(row.timestamp("value").orElse(Long.MIN_VALUE), digest, number);
  }

  private static void add(long value, MessageDigest digest, ByteBuffer number) {
    digest.update(number.clear().putLong(value).flip());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
