package io.siltstone.tools.load;

import io.siltstone.type.CqlDuration;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.RandomTypes;
import io.siltstone.type.UserType;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Makes random values that JSON and CSV can represent exactly. The types encode them, which gives
 * the bytes that the codecs of a load have to produce.
 */
final class RandomValue extends RandomTypes {
  private final Random random;

  RandomValue(Random random) {
    super(random);
    this.random = random;
  }

  /** Returns the serialized bytes of a value. */
  byte[] bytes(CqlType type) {
    CqlType frozen = type.unreversed().frozen();
    if (frozen.equals(CqlTypes.EMPTY)) {
      return new byte[0];
    }
    return frozen.encode(value(frozen));
  }

  /** Leaves no null at the end, because it would be the same as a missing field. */
  @Override
  protected Map<String, @Nullable Object> userValue(UserType type) {
    Map<String, @Nullable Object> fields = super.userValue(type);
    List<UserType.Field> definition = type.fields();
    UserType.Field last = definition.get(definition.size() - 1);
    fields.put(last.name(), value(last.type()));
    return fields;
  }

  @Override
  protected Object scalarValue(CqlType type) {
    return switch (type.cqlName()) {
      case "float" ->
          random.nextBoolean()
              ? random.nextInt(100_000) / 100f
              : canonical(Float.intBitsToFloat(random.nextInt()));
      case "double" ->
          switch (random.nextInt(8)) {
            case 0 -> Double.NEGATIVE_INFINITY;
            case 1, 2, 3, 4 -> random.nextInt() / 1000.0;
            default -> canonical(Double.longBitsToDouble(random.nextLong()));
          };
      case "empty" -> "";
      case "text" -> text("aZ'\"\\:@!{},é世\ud83d\ude00 \n\r\t\u0001");
      case "ascii" -> text("aZ'\"\\:@!{}, \n");
      case "duration" ->
          random.nextInt(8) == 0
              ? CqlDuration.ZERO
              : new CqlDuration(random.nextInt(99), random.nextInt(100), random.nextInt() >>> 1);
      default -> super.scalarValue(type);
    };
  }

  /** JSON knows one NaN. */
  private static float canonical(float number) {
    return Float.isNaN(number) ? Float.NaN : number;
  }

  private static double canonical(double number) {
    return Double.isNaN(number) ? Double.NaN : number;
  }
}
