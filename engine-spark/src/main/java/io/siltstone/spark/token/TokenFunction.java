package io.siltstone.spark.token;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.types.SparkTypes;
import io.siltstone.type.CqlType;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * The token of a table's partition key as a function of the values of its columns, as CQL's {@code
 * token}. It is null if a value is null. It is sent to executors, and used by one thread at a time.
 */
final class TokenFunction implements ScalarFunction<Long>, Serializable {
  private static final long serialVersionUID = 1L;

  private final String definition;
  private final Partitioner partitioner;
  private final boolean areNumbersText;
  // Made anew on each executor: CQL's types are not sent.
  private transient @Nullable KeyEncoder encoder;

  TokenFunction(TableSchema schema, Partitioner partitioner, boolean areNumbersText) {
    this.definition = schema.toCql();
    this.partitioner = partitioner;
    this.areNumbersText = areNumbersText;
  }

  /** Returns a name that functions have if and only if they return the same. */
  static String canonicalName(TableSchema schema, Partitioner partitioner) {
    return schema.partitionKeyColumns().stream()
        .map(column -> column.type().unreversed().toString())
        .collect(Collectors.joining(", ", "siltstone.token." + partitioner + "(", ")"));
  }

  private List<CqlType> types() {
    return SchemaParser.parseLeniently(definition).onlyTable().partitionKeyColumns().stream()
        .map(Column::type)
        .toList();
  }

  @Override
  public DataType[] inputTypes() {
    return types().stream()
        .map(type -> SparkTypes.of(type, areNumbersText))
        .toArray(DataType[]::new);
  }

  @Override
  public DataType resultType() {
    return DataTypes.LongType;
  }

  @Override
  public String name() {
    return TokenFunctions.NAME;
  }

  @Override
  public String canonicalName() {
    return canonicalName(SchemaParser.parseLeniently(definition).onlyTable(), partitioner);
  }

  @Override
  public @Nullable Long produceResult(InternalRow input) {
    KeyEncoder present = encoder;
    if (present == null) {
      present = new KeyEncoder(partitioner, List.of(inputTypes()), types());
      encoder = present;
    }
    return present.token(input);
  }
}
