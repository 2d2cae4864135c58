/** The client's way to brokers: connections, metadata, retries. Generated messages stop here. */
package io.tidemark.client.net;
