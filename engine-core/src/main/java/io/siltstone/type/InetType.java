package io.siltstone.type;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code inet}: four or sixteen bytes, ordered as unsigned. Names are never looked up. Source:
 * Cassandra {@code InetAddressType}.
 */
final class InetType extends ScalarType {
  private static final Pattern IPV4 =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

  /** With a colon Java takes it for an address and asks nobody. */
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");

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
    Matcher ipv4 = IPV4.matcher(text);
    if (ipv4.matches()) {
      byte[] bytes = new byte[4];
      for (int i = 0; i < 4; i++) {
        int part = Integer.parseInt(ipv4.group(i + 1));
        if (part > 255) {
          throw noValue(text);
        }
        bytes[i] = (byte) part;
      }
      return bytes;
    }
    if (!IPV6.matcher(text).matches()) {
      throw noValue(text);
    }
    try {
      return InetAddress.getByName(text).getAddress();
    } catch (UnknownHostException e) {
      throw noValue(text, e);
    }
  }
}
