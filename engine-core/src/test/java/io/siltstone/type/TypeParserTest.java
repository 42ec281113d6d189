package io.siltstone.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Class names of Cassandra are read, old ones included, and others refused with the place. */
class TypeParserTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTF8Type",
        "DateType",
        "LexicalUUIDType",
        "ReversedType(LongType)",
        "FrozenType(SetType(TupleType(Int32Type,ListType(UTF8Type))))",
        "MapType(InetAddressType,FrozenType(MapType(TimeType,SimpleDateType)))",
        "CompositeType(UTF8Type,ReversedType(IntegerType))",
        "VectorType(FloatType , 3)",
        "UserType(ks,6e,61:FrozenType(UserType(ks,6d,62:Int32Type)))",
      })
  void namesComeBack(String name) {
    String className = name.replaceAll("(?=\\b[A-Z]\\w*Type)", TypeParser.PACKAGE);
    assertThat(TypeParser.parse(className).className()).isEqualTo(className);
    assertThat(TypeParser.parse(name)).isEqualTo(TypeParser.parse(className));
  }

  @Test
  void blanksMayStandAnywhere() {
    assertThat(TypeParser.parse(" MapType ( UTF8Type\t, VectorType(FloatType,3) )\n"))
        .isEqualTo(CqlTypes.map(CqlTypes.TEXT, CqlTypes.vector(CqlTypes.FLOAT, 3)));
  }

  @Test
  void oldOptionForReversedOrder() {
    assertThat(TypeParser.parse("UTF8Type(reversed=true)"))
        .isEqualTo(CqlTypes.reversed(CqlTypes.TEXT));
    assertThat(TypeParser.parse("UTF8Type(reversed=false)")).isEqualTo(CqlTypes.TEXT);
  }

  @Test
  void frozenScalarIsTheScalar() {
    assertThat(TypeParser.parse("FrozenType(UTF8Type)")).isEqualTo(CqlTypes.TEXT);
  }

  @Test
  void userTypesKeepTheirNames() {
    UserType type = (UserType) TypeParser.parse("UserType(Ks,5072c3a973,61:Int32Type)");
    assertThat(type.keyspace()).isEqualTo("Ks");
    assertThat(type.name()).isEqualTo("Prés");
    assertThat(type.fields()).containsExactly(new UserType.Field("a", CqlTypes.INT));
    assertThat(type.isMultiCell()).isTrue();
    assertThat(type.elementTypes()).isEqualTo(List.of(CqlTypes.INT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                     | position 0: no type's name",
        "NoSuchType                             | position 0: unknown type NoSuchType",
        "com.example.UTF8Type                   | position 0: unknown type",
        "DynamicCompositeType(a=>UTF8Type)      | position 0: unknown type",
        "ListType                               | position 8: expected '('",
        "ListType(UTF8Type                      | position 17: expected ','",
        "ListType(UTF8Type,UTF8Type)            | 2 parameters, allowed 1",
        "MapType(UTF8Type)                      | 1 parameters, allowed 2",
        "UTF8Type)                              | position 8: text after",
        "VectorType(FloatType,x)                | 'x' is no dimension",
        "VectorType(FloatType,0)                | dimension 0, allowed 1",
        "VectorType(FloatType,999999999)        | allowed 1 to 536870911",
        "UserType(ks,6,61:UTF8Type)             | no name in hexadecimal",
        "UserType(ks,66,61:UTF8Type,61:UTF8Type)| two fields called a",
        "CompositeType()                        | composite of 0 types",
        "UTF8Type(x=y)                          | option 'x'",
      })
  void othersAreRefusedWithTheirPlace(String name, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TypeParser.parse(name))
        .withMessageContaining("'" + name + "'")
        .withMessageContaining(message);
  }

  @Test
  void deepNestingIsRefusedBeforeTheStackIsFull() {
    String deep = "ListType(".repeat(100_000) + "UTF8Type" + ")".repeat(100_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TypeParser.parse(deep))
        .withMessageContaining("deeper than " + CqlType.MAX_DEPTH);
    CqlType type = CqlTypes.TEXT;
    for (int i = 1; i < CqlType.MAX_DEPTH; i++) {
      type = CqlTypes.list(type).frozen();
    }
    CqlType deepest = TypeParser.parse(type.className());
    assertThat(deepest).isEqualTo(type);
    assertThatIllegalArgumentException().isThrownBy(() -> CqlTypes.list(deepest));
  }
}
