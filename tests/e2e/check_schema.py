#!/usr/bin/env python3
"""Does a report match the schema? Usage: check_schema.py SCHEMA REPORT [REPORT ...]

Besides the schema itself this checks that every key of the report is declared: the schema leaves objects open for its
readers, but what we write must be described. Exit code: 0 all match, 1 at least one does not, 2 unreadable input."""
import json
import sys

from jsonschema import Draft202012Validator


def closed(schema):
    """The schema with every object that lists its properties closed to others."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        result["additionalProperties"] = False
    return result


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        sys.exit(2)


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    schema = read(arguments[0])
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(closed(schema))
    has_failed = False
    for path in arguments[1:]:
        errors = sorted(validator.iter_errors(read(path)), key=lambda error: error.json_path)
        for error in errors:
            print(f"{path}: {error.json_path}: {error.message[:300]}")
        has_failed = has_failed or bool(errors)
    return 1 if has_failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
