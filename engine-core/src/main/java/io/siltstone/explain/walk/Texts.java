package io.siltstone.explain.walk;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.type.CqlType;
import io.siltstone.type.UserType;
import java.util.HexFormat;
import java.util.List;

/** Formats values, clusterings and ranges in CQL. */
final class Texts {
  private Texts() {}

  /** Returns all values of a clustering, e.g. {@code (7, 'a')}; empty if it has none. */
  static String clustering(Clustering of, RowEncoding encoding) {
    if (of.size() == 0) {
      return "";
    }
    List<CqlType> types = encoding.header().clusteringTypes();
    StringBuilder text = new StringBuilder("(");
    for (int i = 0; i < of.size(); i++) {
      int length = of.valueLength(i);
      text.append(i == 0 ? "" : ", ")
          .append(
              length == Clustering.NULL
                  ? "null"
                  : literal(types.get(i), of.bytes(), of.valueOffset(i), length));
    }
    return text.append(')').toString();
  }

  /** Returns the first half of a range's text: its start. */
  static String start(Clustering bound, RowEncoding encoding) {
    ClusteringKind kind = bound.kind();
    String values = clustering(bound, encoding);
    return values.isEmpty()
        ? "from the first row"
        : "from " + (kind.comparedToClustering() < 0 ? "" : "after ") + values;
  }

  /** Returns the second half of a range's text: its end. */
  static String end(Clustering bound, RowEncoding encoding) {
    ClusteringKind kind = bound.kind();
    String values = clustering(bound, encoding);
    return values.isEmpty()
        ? " to the last row"
        : " to " + (kind.comparedToClustering() < 0 ? "before " : "") + values;
  }

  static String path(Unfiltered cell) {
    CqlType type = cell.column().type();
    if (!cell.isComplex()) {
      return "";
    }
    String path = literal(type.pathType(), cell.bytes(), cell.pathOffset(), cell.pathLength());
    if (type instanceof UserType user && cell.pathLength() == Short.BYTES) {
      int field = BigEndian.getShort(cell.bytes(), cell.pathOffset());
      return field >= 0 && field < user.fields().size() ? user.fields().get(field).name() : path;
    }
    return path;
  }

  static String value(Unfiltered cell) {
    if (cell.isCellTombstone()) {
      return "";
    }
    CqlType type = cell.column().type();
    if (cell.isComplex()) {
      try {
        type = type.cellType(cell.bytes(), cell.pathOffset(), cell.pathLength());
      } catch (IllegalArgumentException e) {
        return hex(cell.bytes(), cell.valueOffset(), cell.valueLength());
      }
    }
    return literal(type, cell.bytes(), cell.valueOffset(), cell.valueLength());
  }

  /** Returns the CQL literal of a value, or its bytes in hexadecimal if it is invalid. */
  private static String literal(CqlType type, byte[] bytes, int offset, int length) {
    try {
      return type.toCqlLiteral(bytes, offset, length);
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      return hex(bytes, offset, length);
    }
  }

  private static String hex(byte[] bytes, int offset, int length) {
    return "0x" + HexFormat.of().formatHex(bytes, offset, offset + length);
  }
}
