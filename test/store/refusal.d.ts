import { type RowkeyError } from '@rowkey/codec';
/** The error of rowkey that a call is refused with; anything else fails the test. */
export declare function refusalOf(run: () => unknown): Promise<RowkeyError>;
/** The code a call is refused with. */
export declare function codeOf(run: () => unknown): Promise<string>;
/** In what the query that a cursor was given to differs from its own. */
export declare function differs(run: () => unknown): Promise<unknown>;
//# sourceMappingURL=refusal.d.ts.map