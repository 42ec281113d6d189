package io.siltstone.files;

import io.siltstone.io.EncryptedDirectory;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The encryption keys of a text with one key a line, in the form of MariaDB's file of keys: the id,
 * a semicolon, and the key in hexadecimal. New files are encrypted with the first key. Empty lines
 * and lines that begin with {@code #} are skipped.
 *
 * <pre>
 *   # since January
 *   2027;6f1c...
 *   2026;a04e...
 * </pre>
 *
 * Messages about a text name its line, and never what it contains. Immutable.
 */
public final class KeyFile implements EncryptedDirectory.Keys {
  private static final int MAX_ID_BYTES = 128;
  private static final int LEAST_KEY_BYTES = 16;
  private static final int MOST_KEY_BYTES = 64;
  private static final String ALGORITHM = "AES";

  private final String current;
  private final Map<String, SecretKey> keys;

  private KeyFile(Map<String, SecretKey> keys) {
    this.current = keys.keySet().iterator().next();
    this.keys = keys;
  }

  /**
   * Parses a text.
   *
   * @param name of the file, for messages
   * @throws IllegalArgumentException if a line is wrong, an id occurs twice, or there is no key
   */
  public static KeyFile parse(String name, String text) {
    Map<String, SecretKey> keys = new LinkedHashMap<>();
    int number = 0;
    for (String each : text.lines().toList()) {
      number++;
      String line = each.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String place = name + ", line " + number;
      int end = line.indexOf(';');
      String id = end < 0 ? "" : line.substring(0, end).strip();
      int idBytes = id.getBytes(StandardCharsets.UTF_8).length;
      require(end >= 0, place, "no semicolon", "an id, a semicolon, and a key in hexadecimal");
      require(
          idBytes >= 1 && idBytes <= MAX_ID_BYTES,
          place,
          "an id of " + idBytes + " bytes",
          "1 to " + MAX_ID_BYTES);
      SecretKey key = key(place, line.substring(end + 1).strip());
      if (keys.put(id, key) != null) {
        throw new IllegalArgumentException(place + " has the id of another line");
      }
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException(name + " has no key, expected a line such as ID;HEX");
    }
    return new KeyFile(keys);
  }

  private static void require(boolean holds, String place, String what, String allowed) {
    if (!holds) {
      throw new IllegalArgumentException(place + " has " + what + ", allowed " + allowed);
    }
  }

  private static SecretKey key(String place, String hex) {
    byte[] bytes;
    try {
      bytes = HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException e) {
      // Without the cause, whose message shows a part of the key.
      throw new IllegalArgumentException(place + " has a key that is not in hexadecimal");
    }
    require(
        bytes.length >= LEAST_KEY_BYTES && bytes.length <= MOST_KEY_BYTES,
        place,
        "a key of " + bytes.length + " bytes",
        LEAST_KEY_BYTES + " to " + MOST_KEY_BYTES);
    return new SecretKeySpec(bytes, ALGORITHM);
  }

  @Override
  public String current() {
    return current;
  }

  @Override
  public @Nullable SecretKey key(String id) {
    return keys.get(id);
  }
}
