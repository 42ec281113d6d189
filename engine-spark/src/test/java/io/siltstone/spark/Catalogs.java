package io.siltstone.spark;

import io.siltstone.schema.TableSchema;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Catalogs of the session of tests, each with a name of its own. */
final class Catalogs {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private Catalogs() {}

  /** Adds a catalog to the session, and returns its name. */
  static String add(Object path, Map<String, String> options) {
    String name = "cat" + COUNT.incrementAndGet();
    String prefix = "spark.sql.catalog." + name;
    LocalSpark.session().conf().set(prefix, SiltstoneCatalog.class.getName());
    LocalSpark.session().conf().set(prefix + ".path", path.toString());
    options.forEach((key, value) -> LocalSpark.session().conf().set(prefix + "." + key, value));
    return name;
  }

  static Dataset<Row> sql(String text) {
    return LocalSpark.session().sql(text);
  }

  static List<String> rows(String text) {
    return LocalSpark.texts(sql(text));
  }

  /** Returns the directory that Cassandra would give to a table. */
  static Path directory(Path keyspaces, TableSchema schema) {
    String id = new UUID(schema.name().hashCode(), 1).toString().replace("-", "");
    return keyspaces.resolve(schema.keyspace()).resolve(schema.name() + "-" + id);
  }
}
