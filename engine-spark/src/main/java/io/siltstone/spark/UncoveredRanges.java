package io.siltstone.spark;

import io.siltstone.ring.TokenRing;
import io.siltstone.spark.table.TableReader;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The token ranges that no directory covers, as a table: after {@code start}, to {@code end}, and
 * the {@code nodes} that own them. Immutable, safe for use by all threads.
 *
 * @param reader of the directories
 */
record UncoveredRanges(TableReader reader) implements SupportsRead {
  /** The columns. */
  static final StructType TYPE =
      new StructType()
          .add("start", DataTypes.LongType, false)
          .add("end", DataTypes.LongType, false)
          .add("nodes", DataTypes.createArrayType(DataTypes.StringType, false), false);

  @Override
  public String name() {
    return "sstable, uncovered ranges";
  }

  @Override
  public Column[] columns() {
    return Stream.of(TYPE.fields())
        .map(field -> Column.create(field.name(), field.dataType(), field.nullable()))
        .toArray(Column[]::new);
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    List<TokenRing.Range> ranges = reader.uncoveredRanges();
    return () -> new RangeScan(ranges);
  }

  private record RangeScan(List<TokenRing.Range> ranges) implements LocalScan {
    @Override
    public StructType readSchema() {
      return TYPE;
    }

    @Override
    public InternalRow[] rows() {
      return ranges.stream().map(RangeScan::row).toArray(InternalRow[]::new);
    }

    private static InternalRow row(TokenRing.Range range) {
      Object[] nodes = range.nodes().stream().sorted().map(UTF8String::fromString).toArray();
      return new GenericInternalRow(
          new Object[] {range.start(), range.end(), new GenericArrayData(nodes)});
    }
  }
}
