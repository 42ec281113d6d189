package io.siltstone.schema;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Parses the value of an option, after the {@code =}. */
final class OptionValue {
  private OptionValue() {}

  /** Returns a string, number, blob or word as its text. */
  static String constant(TokenReader tokens) {
    return switch (tokens.peek().kind()) {
      case STRING, NUMBER, HEX, UUID, WORD -> tokens.next().text();
      case SYMBOL, QUOTED_NAME, END -> throw tokens.expected("a constant");
    };
  }

  static Map<String, String> map(TokenReader tokens) {
    tokens.symbol('{');
    Map<String, String> map = new LinkedHashMap<>();
    if (tokens.trySymbol('}')) {
      return map;
    }
    do {
      Token start = tokens.peek();
      String key = constant(tokens);
      tokens.symbol(':');
      if (map.putIfAbsent(key, constant(tokens)) != null) {
        throw tokens.error(start, "Multiple definitions for property '" + key + "'");
      }
    } while (tokens.trySymbol(','));
    tokens.symbol('}');
    return map;
  }

  static UUID uuid(TokenReader tokens) {
    Token token = tokens.peek();
    if (token.kind() == Token.Kind.UUID) {
      return UUID.fromString(tokens.next().text());
    }
    if (token.kind() == Token.Kind.STRING
        && token.text().matches("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")) {
      return UUID.fromString(tokens.next().text());
    }
    throw tokens.expected("a UUID");
  }

  static long integer(TokenReader tokens, Token start) {
    Token token = tokens.peek();
    if (token.kind() != Token.Kind.NUMBER) {
      throw tokens.expected("an integer");
    }
    try {
      return Long.parseLong(tokens.next().text());
    } catch (NumberFormatException e) {
      throw tokens.error(start, token.text() + " is no integer of 64 bits");
    }
  }

  /** Skips a value of any form, up to the next AND or the end of the statement. */
  static void skip(TokenReader tokens) {
    int open = 0;
    do {
      Token token = tokens.peek();
      if (token.kind() == Token.Kind.END || token.isSymbol(';')) {
        throw tokens.expected(open > 0 ? "a closing bracket" : "a value");
      }
      tokens.next();
      if (token.isSymbol('{') || token.isSymbol('[') || token.isSymbol('(')) {
        open++;
      } else if (token.isSymbol('}') || token.isSymbol(']') || token.isSymbol(')')) {
        open--;
      }
    } while (open > 0);
    if (open < 0) {
      throw tokens.expected("a value");
    }
  }
}
