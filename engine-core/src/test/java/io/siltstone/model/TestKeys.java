package io.siltstone.model;

import io.siltstone.io.EncryptedDirectory;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Keys of encrypted directories, for tests. */
public final class TestKeys {
  private TestKeys() {}

  /** Returns keys that know one key, of the id "one". */
  public static EncryptedDirectory.Keys one() {
    return EncryptedDirectory.Keys.of("one", key(1));
  }

  /** Returns a key of 32 bytes of that value. */
  public static SecretKey key(int value) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) value);
    return new SecretKeySpec(bytes, "AES");
  }
}
