/** What libraries say while a command runs. */
package io.tidemark.cli.logging;
