package io.siltstone.spark.token;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.types.SparkTypes;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The number of the token range of a partition key of one column, by which scans report how they
 * are partitioned. Spark looks it up by its name, which says all of it, so that the partitioning of
 * two tables is the same if and only if the name is: {@code token_range_16_murmur3_text}.
 *
 * <p>Keys of other types have none: values that are equal in Spark must have the same token, which
 * is not so of floating point numbers, decimals and addresses. Spark takes no function of several
 * columns, so that keys of several columns have none either. Used by one thread at a time.
 */
public final class RangeFunction implements ScalarFunction<Integer>, UnboundFunction, Serializable {
  private static final long serialVersionUID = 1L;

  private static final String PREFIX = "token_range_";
  private static final Map<String, CqlType> TYPES =
      Stream.of(
              CqlTypes.BOOLEAN,
              CqlTypes.TINYINT,
              CqlTypes.SMALLINT,
              CqlTypes.INT,
              CqlTypes.BIGINT,
              CqlTypes.TEXT,
              CqlTypes.ASCII,
              CqlTypes.BLOB,
              CqlTypes.UUID,
              CqlTypes.TIMEUUID,
              CqlTypes.TIMESTAMP,
              CqlTypes.DATE,
              CqlTypes.TIME)
          .collect(Collectors.toUnmodifiableMap(CqlType::cqlName, Function.identity()));
  private static final Pattern NAME =
      Pattern.compile(
          PREFIX
              + "(\\d{1,9})_("
              + Stream.of(Partitioner.values())
                  .map(RangeFunction::text)
                  .collect(Collectors.joining("|"))
              + ")_([a-z]+)");

  private final int count;
  private final Partitioner partitioner;
  private final String type;
  // Made anew on each executor: CQL's types are not sent.
  private transient @Nullable KeyEncoder encoder;

  private RangeFunction(int count, Partitioner partitioner, String type) {
    this.count = count;
    this.partitioner = partitioner;
    this.type = type;
  }

  private static String text(Partitioner partitioner) {
    return partitioner.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the function of a table's key; empty if there is none. */
  public static Optional<RangeFunction> of(
      TableSchema schema, Partitioner partitioner, TokenRanges ranges) {
    List<Column> key = schema.partitionKeyColumns();
    String type = key.get(0).type().unreversed().cqlName();
    return key.size() == 1 && TYPES.containsKey(type)
        ? Optional.of(new RangeFunction(ranges.count(), partitioner, type))
        : Optional.empty();
  }

  /** Returns the function of a name; empty if it is none. */
  static Optional<RangeFunction> ofName(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches() || !TYPES.containsKey(matcher.group(3))) {
      return Optional.empty();
    }
    int count = Integer.parseInt(matcher.group(1));
    return Stream.of(Partitioner.values())
        .filter(partitioner -> count > 0 && text(partitioner).equals(matcher.group(2)))
        .map(partitioner -> new RangeFunction(count, partitioner, matcher.group(3)))
        .findFirst();
  }

  private CqlType cqlType() {
    CqlType found = TYPES.get(type);
    if (found == null) {
      throw new IllegalStateException("no token ranges of type " + type);
    }
    return found;
  }

  @Override
  public BoundFunction bind(StructType inputType) {
    return this;
  }

  @Override
  public String description() {
    return name() + "(key): the number of the token range of a partition key";
  }

  @Override
  public DataType[] inputTypes() {
    return new DataType[] {SparkTypes.of(cqlType(), false)};
  }

  @Override
  public DataType resultType() {
    return DataTypes.IntegerType;
  }

  @Override
  public String name() {
    return PREFIX + count + "_" + text(partitioner) + "_" + type;
  }

  @Override
  public String canonicalName() {
    return "siltstone." + name();
  }

  @Override
  public @Nullable Integer produceResult(InternalRow input) {
    KeyEncoder present = encoder;
    if (present == null) {
      present = new KeyEncoder(partitioner, List.of(inputTypes()), List.of(cqlType()));
      encoder = present;
    }
    Long token;
    try {
      token = present.token(input);
    } catch (IllegalArgumentException e) {
      // Spark shuffles other rows by this function to join them: what cannot be a key is none.
      return null;
    }
    return token == null ? null : Integer.valueOf(new TokenRanges(count).of(token));
  }
}
