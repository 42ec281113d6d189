package io.siltstone.rows;

/** Describes queries in messages. */
final class QueryText {
  private QueryText() {}

  /** Returns a query with its restrictions in words. */
  static String of(Query query, Restriction of) {
    StringBuilder text = new StringBuilder("query of ");
    text.append(query.schema().keyspace()).append('.').append(query.schema().name());
    if (of.key() != null) {
      text.append(", ").append(of.key());
    }
    if (of.range().from() != null) {
      text.append(", from ").append(of.range().from());
    }
    if (of.range().to() != null) {
      text.append(", before ").append(of.range().to());
    }
    if (!of.ranges().isEmpty()) {
      text.append(", ").append(of.ranges());
    }
    text.append(", columns ").append(query.columns());
    text.append(of.reversed() ? ", reversed" : "").append(of.distinct() ? ", distinct" : "");
    append(text, ", limit ", query.limit(), Query.NO_LIMIT);
    append(text, ", per partition ", query.perPartitionLimit(), Integer.MAX_VALUE);
    append(text, ", page of ", query.pageSize(), Integer.MAX_VALUE);
    query.timeout().ifPresent(limit -> text.append(", timeout ").append(limit));
    PagingState after = query.continuedAfter();
    return text.append(after == null ? "" : ", after " + after).toString();
  }

  private static void append(StringBuilder text, String what, long value, long none) {
    if (value != none) {
      text.append(what).append(value);
    }
  }
}
