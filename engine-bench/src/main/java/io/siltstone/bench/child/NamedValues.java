package io.siltstone.bench.child;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Named numbers, texts and series of numbers, in the order in which they were put, which are
 * serialized as a flat JSON object. Not safe for use by several threads.
 */
public final class NamedValues {
  private static final JsonFactory JSON = new JsonFactory();

  private final Map<String, Object> values = new LinkedHashMap<>();

  /** Puts a whole number. */
  public NamedValues put(String name, long value) {
    values.put(name, value);
    return this;
  }

  /**
   * Puts a number.
   *
   * @throws IllegalArgumentException if it is not finite, because JSON has no such numbers
   */
  public NamedValues put(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(name + " is " + value);
    }
    values.put(name, value);
    return this;
  }

  /** Puts a text. */
  public NamedValues put(String name, String value) {
    values.put(name, value);
    return this;
  }

  /** Puts a series. */
  public NamedValues put(String name, List<Double> series) {
    values.put(name, List.copyOf(series));
    return this;
  }

  /** Puts all values of another object. */
  public NamedValues putAll(NamedValues others) {
    values.putAll(others.values);
    return this;
  }

  /** Returns all names. */
  public Set<String> names() {
    return Set.copyOf(values.keySet());
  }

  /** Returns whether there is a value with that name. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /**
   * Returns a whole number.
   *
   * @throws IllegalArgumentException if there is no number with that name; likewise for the other
   *     types
   */
  public long whole(String name) {
    return Math.round(number(name));
  }

  /** Returns a number. */
  public double number(String name) {
    return get(name, Number.class).doubleValue();
  }

  /** Returns a text. */
  public String text(String name) {
    return get(name, String.class);
  }

  /** Returns a series. */
  public List<Double> series(String name) {
    List<Double> series = new ArrayList<>();
    for (Object value : get(name, List.class)) {
      series.add(((Number) value).doubleValue());
    }
    return series;
  }

  private <T> T get(String name, Class<T> type) {
    Object value = values.get(name);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(name + " = " + value + " of " + values.keySet());
    }
    return type.cast(value);
  }

  /** Writes the values as fields of the current object. */
  public void writeFields(JsonGenerator json) throws IOException {
    for (Map.Entry<String, Object> entry : values.entrySet()) {
      json.writeFieldName(entry.getKey());
      write(json, entry.getValue());
    }
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Long whole) {
      json.writeNumber(whole);
    } else if (value instanceof Double number) {
      json.writeNumber(number);
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        write(json, element);
      }
      json.writeEndArray();
    } else {
      json.writeString((String) value);
    }
  }

  /** Returns one line of JSON. */
  public String toJson() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      writeFields(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /**
   * Parses the text that {@link #toJson} wrote.
   *
   * @throws IOException if it is something else
   */
  public static NamedValues parse(String text) throws IOException {
    NamedValues values = new NamedValues();
    try (JsonParser json = JSON.createParser(text)) {
      expect(json.nextToken(), JsonToken.START_OBJECT, text);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        switch (json.nextToken()) {
          case VALUE_NUMBER_INT -> values.put(name, json.getLongValue());
          case VALUE_NUMBER_FLOAT -> values.put(name, json.getDoubleValue());
          case VALUE_STRING -> values.put(name, json.getText());
          case START_ARRAY -> {
            List<Double> series = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
              series.add(json.getDoubleValue());
            }
            values.put(name, series);
          }
          default -> throw new IOException("not values: " + text);
        }
      }
      expect(json.currentToken(), JsonToken.END_OBJECT, text);
    }
    return values;
  }

  private static void expect(JsonToken found, JsonToken wanted, String text) throws IOException {
    if (found != wanted) {
      throw new IOException("not values: " + text);
    }
  }

  @Override
  public String toString() {
    return toJson();
  }
}
