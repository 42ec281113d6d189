package io.siltstone.type;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompatibilityTest {
  private static CqlType type(String name) {
    String marshal = "org.apache.cassandra.db.marshal.";
    return TypeParser.parse(name.replaceAll("([A-Z][A-Za-z0-9]*)", marshal + "$1Type"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Int32 | Int32
          UTF8 | Ascii
          Bytes | UTF8
          Bytes | Decimal
          Bytes | Tuple(Int32)
          UUID | TimeUUID
          Long | Timestamp
          Timestamp | Long
          List(UTF8) | List(Ascii)
          List(Timestamp) | List(Long)
          Set(Bytes) | Set(UTF8)
          Map(UTF8,Bytes) | Map(Ascii,UTF8)
          Frozen(List(UTF8)) | Frozen(List(Ascii))
          Frozen(Map(UTF8,Timestamp)) | Frozen(Map(UTF8,Long))
          Tuple(Integer,Bytes) | Tuple(Int32,Long)
          Tuple(SimpleDate,Time,Int32) | Tuple(Int32,Long)
          Vector(Float , 3) | Vector(Float , 3)
          """)
  void aColumnComesBackWithATypeThatReadsItsCells(String type, String before) {
    assertThat(type(type).canReadCellsOf(type(before))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          UTF8 | Int32
          Bytes | Int32
          UTF8 | Bytes
          Ascii | UTF8
          Integer | Int32
          SimpleDate | Int32
          Time | Long
          TimeUUID | UUID
          Long | Double
          Bytes | Frozen(List(Int32))
          List(Int32) | Frozen(List(Int32))
          Frozen(List(Int32)) | List(Int32)
          List(Int32) | Set(Int32)
          List(Integer) | List(Int32)
          Set(Long) | Set(Timestamp)
          Map(Bytes,Int32) | Map(UUID,Int32)
          Frozen(List(Integer)) | Frozen(List(Int32))
          Tuple(Int32) | Tuple(Int32,Int32)
          Tuple(Int32) | Int32
          Vector(Float , 3) | Vector(Float , 2)
          """)
  void aColumnDoesNotComeBackWithAnotherType(String type, String before) {
    assertThat(type(type).canReadCellsOf(type(before))).isFalse();
  }

  // A user type: keyspace, name in hexadecimal, fields with names in hexadecimal.
  private static final String U = "User(ks,75,61:Int32)";
  private static final String RENAMED = "User(other,75,62:Int32)";
  private static final String GROWN = "User(ks,75,61:Int32,62:UTF8)";

  private static CqlType with(String name, String user) {
    return type(name.replace("U", "Frozen(" + user + ")"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "U",
        "Frozen(Tuple(Int32,U))",
        "Frozen(List(U))",
        "Frozen(Map(Int32,U))",
        "Vector(U , 2)",
        "Reversed(U)",
        "Set(U)"
      })
  void whatIsMadeOfAUserTypeGrowsWithItAndNeverShrinks(String name) {
    CqlType before = with(name, U);
    assertThat(before.hasGrownFrom(before)).isTrue();
    assertThat(with(name, RENAMED).hasGrownFrom(before)).isTrue();
    assertThat(before.hasGrownFrom(with(name, RENAMED))).isTrue();
    assertThat(with(name, GROWN).hasGrownFrom(before)).isTrue();
    assertThat(before.hasGrownFrom(with(name, GROWN))).isFalse();
    assertThat(with(name, "User(ks,75,61:Long)").hasGrownFrom(before)).isFalse();
    assertThat(with(name, "User(ks,75,62:UTF8,61:Int32)").hasGrownFrom(before)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Long | Int32
          UTF8 | Ascii
          Tuple(Int32,Int32) | Tuple(Int32)
          Vector(Float , 3) | Vector(Float , 2)
          List(Int32) | Set(Int32)
          List(Int32) | Frozen(List(Int32))
          Reversed(Int32) | Int32
          """)
  void nothingElseGrows(String type, String before) {
    assertThat(type(type).hasGrownFrom(type(before))).isFalse();
  }
}
