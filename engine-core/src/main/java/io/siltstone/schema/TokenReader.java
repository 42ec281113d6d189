package io.siltstone.schema;

import io.siltstone.type.CqlName;
import java.util.List;
import java.util.Locale;

/** Walks over the tokens of a text. */
final class TokenReader {
  private final String text;
  private final List<Token> tokens;
  private int at;

  TokenReader(String text) {
    this.text = text;
    this.tokens = Lexer.tokens(text);
  }

  /** Returns the next token, left where it is. */
  Token peek() {
    return tokens.get(at);
  }

  /** Returns the token after the next. */
  Token peekSecond() {
    return tokens.get(Math.min(at + 1, tokens.size() - 1));
  }

  /** Returns the next token; at the end, the end for ever. */
  Token next() {
    Token token = tokens.get(at);
    if (at < tokens.size() - 1) {
      at++;
    }
    return token;
  }

  /** Returns the text from a token to the last one read. */
  String source(Token from) {
    return text.substring(from.start(), Math.max(from.start(), tokens.get(at - 1).end()));
  }

  /** Skips the given words if all of them come next. */
  boolean tryWords(String... words) {
    for (int i = 0; i < words.length; i++) {
      if (at + i >= tokens.size() || !tokens.get(at + i).isWord(words[i])) {
        return false;
      }
    }
    at += words.length;
    return true;
  }

  boolean trySymbol(char symbol) {
    boolean found = peek().isSymbol(symbol);
    if (found) {
      next();
    }
    return found;
  }

  void words(String... words) {
    for (String word : words) {
      if (!peek().isWord(word)) {
        throw expected(word.toUpperCase(Locale.ROOT));
      }
      next();
    }
  }

  void symbol(char symbol) {
    if (!trySymbol(symbol)) {
      throw expected("'" + symbol + "'");
    }
  }

  /** Returns a name, quoted or not. */
  String name(String what) {
    Token token = peek();
    if (token.kind() == Token.Kind.WORD) {
      if (CqlName.isReserved(token.text())) {
        throw error(
            token, "expected " + what + ", found the reserved word " + token.text() + "; quote it");
      }
    } else if (token.kind() != Token.Kind.QUOTED_NAME) {
      throw expected(what);
    } else {
      String problem = Names.problem("name", token.text());
      if (problem != null) {
        throw error(token, problem);
      }
    }
    return next().text();
  }

  SchemaException expected(String what) {
    return error(peek(), "expected " + what + ", found " + peek().shown());
  }

  SchemaException error(Token token, String message) {
    return Lexer.error(text, token.start(), message);
  }

  /** Runs an action, and adds the token's place to its errors. */
  void at(Token token, Runnable action) {
    try {
      action.run();
    } catch (SchemaException e) {
      throw e.line() > 0 ? e : error(token, String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw error(token, String.valueOf(e.getMessage()));
    }
  }

  /** Returns the place of a token, for a warning. */
  String place(Token token) {
    SchemaException place = error(token, "");
    return place.line() + ":" + place.column() + ": ";
  }
}
