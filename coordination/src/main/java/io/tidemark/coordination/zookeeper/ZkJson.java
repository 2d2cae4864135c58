package io.tidemark.coordination.zookeeper;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Protobuf messages as one line of JSON that prints defaults (DESIGN section 6).
 *
 * <p>JsonFormat drops fields that it does not know. Here they survive a rewrite: {@link #merge} copies them from the
 * text that was read, at each level. An element of a list has no name, so it keeps its unknown fields only while its
 * known ones stay as they were. Every message has a field {@code version}, which never goes down in a rewrite.
 */
final class ZkJson {
    private static final String VERSION = "version";
    private static final JsonFormat.Printer PRINTER = JsonFormat.printer()
            .alwaysPrintFieldsWithNoPresence()
            .sortingMapKeys()
            .omittingInsignificantWhitespace();
    private static final JsonFormat.Parser STRICT = JsonFormat.parser();
    private static final JsonFormat.Parser LENIENT = JsonFormat.parser().ignoringUnknownFields();

    private ZkJson() {}

    /**
     * Reads {@code text} into {@code target}; returns whether it has fields that the message does not know.
     *
     * @throws InvalidProtocolBufferException if it is not such a message
     */
    static boolean read(String text, Message.Builder target) throws InvalidProtocolBufferException {
        try {
            STRICT.merge(text, target);
            return false;
        } catch (InvalidProtocolBufferException maybeUnknownField) {
            target.clear();
            LENIENT.merge(text, target);
            return true;
        }
    }

    /** Prints {@code message}, with what {@code carry} has beyond it; an empty {@code carry} has nothing. */
    static String print(Message message, String carry) {
        String text = print(message);
        if (carry.isEmpty()) {
            return text;
        }
        JsonObject fresh = object(text);
        JsonObject old = object(carry);
        merge(message.getDescriptorForType(), fresh, old);
        keepHigherVersion(fresh, old);
        return fresh.toString();
    }

    private static String print(Message message) {
        try {
            return PRINTER.print(message);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(
                    "cannot print " + message.getDescriptorForType().getName(), e);
        }
    }

    private static void merge(Descriptor type, JsonObject fresh, JsonObject old) {
        for (Map.Entry<String, JsonElement> entry : old.entrySet()) {
            FieldDescriptor field = field(type, entry.getKey());
            if (field == null) {
                fresh.add(entry.getKey(), entry.getValue());
            } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                mergeField(field, fresh.get(field.getJsonName()), entry.getValue());
            }
        }
    }

    private static void mergeField(FieldDescriptor field, @Nullable JsonElement fresh, JsonElement old) {
        if (field.isMapField()) {
            mergeMap(field, fresh, old);
        } else if (fresh instanceof JsonArray freshList && old instanceof JsonArray oldList) {
            mergeList(field.getMessageType(), freshList, oldList);
        } else if (fresh instanceof JsonObject freshObject && old instanceof JsonObject oldObject) {
            merge(field.getMessageType(), freshObject, oldObject);
        }
    }

    private static void mergeMap(FieldDescriptor field, @Nullable JsonElement fresh, JsonElement old) {
        FieldDescriptor values = field.getMessageType().findFieldByName("value");
        boolean ofMessages = values != null && values.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
        if (ofMessages && fresh instanceof JsonObject freshMap && old instanceof JsonObject oldMap) {
            oldMap.entrySet().forEach(entry -> mergeField(values, freshMap.get(entry.getKey()), entry.getValue()));
        }
    }

    private static void mergeList(Descriptor type, JsonArray fresh, JsonArray old) {
        for (JsonElement oldElement : old) {
            String known = knownPart(type, oldElement);
            for (JsonElement freshElement : fresh) {
                if (freshElement.toString().equals(known)) {
                    merge(type, freshElement.getAsJsonObject(), oldElement.getAsJsonObject());
                }
            }
        }
    }

    private static String knownPart(Descriptor type, JsonElement element) {
        try {
            DynamicMessage.Builder known = DynamicMessage.newBuilder(type);
            LENIENT.merge(element.toString(), known);
            return object(print(known.build())).toString();
        } catch (InvalidProtocolBufferException e) {
            return "";
        }
    }

    private static void keepHigherVersion(JsonObject fresh, JsonObject old) {
        if (old.get(VERSION) instanceof JsonPrimitive oldVersion
                && fresh.get(VERSION) instanceof JsonPrimitive freshVersion
                && oldVersion.getAsDouble() > freshVersion.getAsDouble()) {
            fresh.add(VERSION, oldVersion);
        }
    }

    private static @Nullable FieldDescriptor field(Descriptor type, String jsonName) {
        for (FieldDescriptor field : type.getFields()) {
            if (field.getJsonName().equals(jsonName) || field.getName().equals(jsonName)) {
                return field;
            }
        }
        return null;
    }

    private static JsonObject object(String text) {
        try {
            return JsonParser.parseString(text).getAsJsonObject();
        } catch (JsonParseException | IllegalStateException e) {
            throw new IllegalArgumentException("not a JSON object: " + text, e);
        }
    }
}
