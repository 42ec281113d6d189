package io.siltstone.jmx;

import java.util.regex.Pattern;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * What the beans are called.
 *
 * <pre>
 *   io.siltstone:type=Database,database=PATH
 *   io.siltstone:type=Table,database=PATH,keyspace=KEYSPACE,table=NAME
 *   io.siltstone:type=Compaction,database=PATH
 * </pre>
 *
 * Values are quoted, as {@link ObjectName#quote} does, if they have a character that a name cannot
 * have.
 */
public final class BeanNames {
  /** Of all beans. */
  public static final String DOMAIN = "io.siltstone";

  private static final Pattern NEEDS_QUOTES = Pattern.compile("[,=:\"*?\\n]");

  private BeanNames() {}

  /** That of the bean of a database. */
  public static ObjectName database(String path) {
    return name("Database", path, "");
  }

  /** That of the bean of a table. */
  public static ObjectName table(String path, String keyspace, String table) {
    return name("Table", path, ",keyspace=" + value(keyspace) + ",table=" + value(table));
  }

  /** That of the bean of a database's compaction. */
  public static ObjectName compaction(String path) {
    return name("Compaction", path, "");
  }

  /** A pattern that the names of all databases match. */
  public static ObjectName databases() {
    return of(DOMAIN + ":type=Database,*");
  }

  /** The path in the name of a bean. */
  public static String path(ObjectName name) {
    String value = String.valueOf(name.getKeyProperty("database"));
    return value.startsWith("\"") ? ObjectName.unquote(value) : value;
  }

  private static ObjectName name(String type, String path, String more) {
    return of(DOMAIN + ":type=" + type + ",database=" + value(path) + more);
  }

  private static String value(String text) {
    return NEEDS_QUOTES.matcher(text).find() ? ObjectName.quote(text) : text;
  }

  private static ObjectName of(String text) {
    try {
      return new ObjectName(text);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
