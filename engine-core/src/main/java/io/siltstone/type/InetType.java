package io.siltstone.type;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code inet}: four or sixteen bytes, ordered as unsigned. Host names are never resolved. Source:
 * Cassandra {@code InetAddressType}.
 *
 * <p>An IPv4 address in sixteen bytes is printed as if it had four, and {@code ::ffff:1.2.3.4} has
 * four, as in Cassandra. With a zone, {@code ::ffff:1.2.3.4%0}, which Cassandra refuses, it has
 * sixteen.
 */
final class InetType extends ScalarType {
  private static final Pattern IPV4 = Pattern.compile("\\d+(\\.\\d+){0,3}");
  private static final int IPV4_MAX_LENGTH = 15;

  /** With a colon Java parses it as an address, without resolving it. */
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(%\\d+)?");

  private static final Pattern MAPPED =
      Pattern.compile("::ffff:(\\d{1,3}(\\.\\d{1,3}){3})%0", Pattern.CASE_INSENSITIVE);

  InetType() {
    super("InetAddressType", "inet");
  }

  @Override
  Quotes quotes() {
    return Quotes.ALWAYS;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length != 0 && length != 4 && length != 16) {
      throw wrongLength(length, "0, 4 or 16");
    }
  }

  private InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return address(Arrays.copyOfRange(value, offset, offset + length));
  }

  @Override
  byte[] encodeObject(Object value) {
    if (value instanceof InetAddress address) {
      return address.getAddress();
    }
    throw refused(value, "InetAddress");
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return address(Arrays.copyOfRange(value, offset, offset + length)).getHostAddress();
  }

  @Override
  public byte[] parse(String text) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    if (text.length() <= IPV4_MAX_LENGTH && IPV4.matcher(text).matches()) {
      return parseIpv4(text);
    }
    String address = withoutBrackets(text);
    if (!IPV6.matcher(address).matches()) {
      throw noValue(text);
    }
    Matcher mapped = MAPPED.matcher(address);
    if (mapped.matches()) {
      byte[] bytes = new byte[16];
      bytes[10] = (byte) 0xff;
      bytes[11] = (byte) 0xff;
      System.arraycopy(parseIpv4(mapped.group(1)), 0, bytes, 12, 4);
      return bytes;
    }
    try {
      return InetAddress.getByName(address).getAddress();
    } catch (UnknownHostException e) {
      throw noValue(text, e);
    }
  }

  private static String withoutBrackets(String text) {
    return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
  }

  /**
   * Parses one to four numbers. The last one fills all remaining bytes, so that 127.1 is 127.0.0.1.
   */
  private byte[] parseIpv4(String text) {
    String[] parts = text.split("\\.", -1);
    byte[] bytes = new byte[4];
    int last = parts.length - 1;
    for (int i = 0; i < last; i++) {
      long part = Long.parseLong(parts[i]);
      if (part > 0xff) {
        throw noValue(text);
      }
      bytes[i] = (byte) part;
    }
    long rest = Long.parseLong(parts[last]);
    for (int i = bytes.length - 1; i >= last; i--) {
      bytes[i] = (byte) rest;
      rest >>= 8;
    }
    if (rest != 0) {
      throw noValue(text);
    }
    return bytes;
  }
}
