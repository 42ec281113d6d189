package io.siltstone.spark.token;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlType;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.UserDefinedScalarFunc;
import org.apache.spark.sql.types.StructType;

/** The functions of a catalog: the token of each table, and the number of a token range. */
public final class TokenFunctions {
  /** The name of the function of each table. */
  public static final String NAME = "token";

  private TokenFunctions() {}

  /**
   * Returns the token function of a table.
   *
   * @param areNumbersText whether varint and decimal are strings
   */
  public static UnboundFunction ofTable(
      TableSchema schema, Partitioner partitioner, boolean areNumbersText) {
    return new UnboundFunction() {
      @Override
      public BoundFunction bind(StructType inputType) {
        requireUsable(schema, inputType);
        return new TokenFunction(schema, partitioner, areNumbersText);
      }

      @Override
      public String description() {
        return signature(schema) + ": the token of a partition key of " + schema.cqlName();
      }

      @Override
      public String name() {
        return NAME;
      }
    };
  }

  private static String signature(TableSchema schema) {
    return NAME + columns(schema).toString().replace('[', '(').replace(']', ')');
  }

  private static List<String> columns(TableSchema schema) {
    return schema.partitionKeyColumns().stream().map(Column::name).toList();
  }

  private static void requireUsable(TableSchema schema, StructType inputType) {
    if (inputType.size() != schema.partitionKeyColumns().size()) {
      throw new UnsupportedOperationException(
          "the function takes the partition key of "
              + schema.cqlName()
              + ", as in "
              + signature(schema)
              + ", not "
              + inputType.size()
              + " values");
    }
    for (Column column : schema.partitionKeyColumns()) {
      if (hasDecimal(column.type())) {
        throw new UnsupportedOperationException(
            "column "
                + column.name()
                + " of "
                + schema.cqlName()
                + " has decimals, of which Spark does not know how many digits are serialized, so"
                + " that their token is not known");
      }
    }
  }

  private static boolean hasDecimal(CqlType type) {
    return type.unreversed().cqlName().equals("decimal")
        || type.unreversed().elementTypes().stream().anyMatch(TokenFunctions::hasDecimal);
  }

  /** Returns the function of a name without a table, by which scans report their partitioning. */
  public static Optional<UnboundFunction> ofName(String name) {
    return RangeFunction.ofName(name).map(UnboundFunction.class::cast);
  }

  /** Returns whether an expression is the token of the partition key of a table's row. */
  public static boolean isTokenOf(
      Expression expression, TableSchema schema, Partitioner partitioner) {
    if (!(expression instanceof UserDefinedScalarFunc function)
        || !function.canonicalName().equals(TokenFunction.canonicalName(schema, partitioner))) {
      return false;
    }
    List<String> names = columns(schema);
    Expression[] arguments = function.children();
    for (int i = 0; i < arguments.length; i++) {
      if (!(arguments[i] instanceof NamedReference reference)
          || reference.fieldNames().length != 1
          || !reference.fieldNames()[0].equals(names.get(i))) {
        return false;
      }
    }
    return arguments.length == names.size();
  }
}
