package io.siltstone.jmx;

import java.util.regex.Pattern;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * The names of the beans.
 *
 * <pre>
 *   io.siltstone:type=Database,database=PATH
 *   io.siltstone:type=Table,database=PATH,keyspace=KEYSPACE,table=NAME
 *   io.siltstone:type=Compaction,database=PATH
 * </pre>
 *
 * Values are quoted by {@link ObjectName#quote} if they contain a character that is not allowed in
 * a name.
 */
public final class BeanNames {
  /** The domain of all beans. */
  public static final String DOMAIN = "io.siltstone";

  private static final Pattern NEEDS_QUOTES = Pattern.compile("[,=:\"*?\\n]");

  private BeanNames() {}

  /** Returns the name of the bean of a database. */
  public static ObjectName database(String path) {
    return name("Database", path, "");
  }

  /** Returns the name of the bean of a table. */
  public static ObjectName table(String path, String keyspace, String table) {
    return name("Table", path, ",keyspace=" + value(keyspace) + ",table=" + value(table));
  }

  /** Returns the name of the bean of a database's compaction. */
  public static ObjectName compaction(String path) {
    return name("Compaction", path, "");
  }

  /** Returns a pattern that matches the names of all databases. */
  public static ObjectName databases() {
    return of(DOMAIN + ":type=Database,*");
  }

  /** Returns the path in the name of a bean. */
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
