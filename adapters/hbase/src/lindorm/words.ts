// Tested by create-table.test.ts.

/**
 * A name in SQL. In backticks it may be any text, and upper and lower case differ ("Lexical structure of Lindorm SQL", 2025). Names of models
 * have no backticks; how Lindorm would escape one is not documented, and MySQL doubles it.
 */
export const identifier = (name: string): string => `\`${name.replaceAll('`', '``')}\``
