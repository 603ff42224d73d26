import type { ClassValidatorCheck } from './class-validator.js'

/**
 * Whether a check certainly looks at nothing but the value of its property. class-validator hands the whole object to every function of an
 * application, and what such a function reads is not known before it has run, and then only for one row. So these look at more: a condition
 * (`@ValidateIf`, the option `validateIf`), a check of the application, and a check of a later class-validator that is not listed here.
 *
 * The name is all that tells a check of the library from others: a check of an application must have a name of its own.
 */
export function looksAtValueOnly({ type, name, validateIf }: ClassValidatorCheck): boolean {
  if (validateIf !== undefined) return false
  return valueTypes.has(type) || (name !== undefined && ownChecks.has(name))
}

/** Nested objects are part of the value: their checks get them, and not the row. The others check nothing. */
const valueTypes: ReadonlySet<string> = new Set(['nestedValidation', 'whitelistValidation', 'promiseValidation'])

/** What class-validator 0.15 calls its checks. Not its exports: an application may pass a module that exports names of its own as well. */
const ownChecks: ReadonlySet<string> = new Set(
  (
    'isDefined isOptional isLatLong isLatitude isLongitude equals notEquals isEmpty isNotEmpty isIn isNotIn isDivisibleBy isPositive ' +
    'isNegative max min minDate maxDate contains notContains isAlpha isAlphanumeric isDecimal isAscii isBase64 isByteLength isCreditCard ' +
    'isCurrency isEmail isFqdn isFullWidth isHalfWidth isVariableWidth isHexColor isHexadecimal isMacAddress isIp isPort isIsbn isIsin ' +
    'isIso8601 isJson isJwt isLowercase isMobilePhone isISO31661Alpha2 isISO31661Alpha3 isISO31661Numeric isMongoId isMultibyte ' +
    'isSurrogatePair isUrl isUuid IsFirebasePushId isUppercase isLength maxLength minLength matches isPhoneNumber isMilitaryTime isHash ' +
    'isISSN isDateString isBooleanString isNumberString isBase32 isBIC isBtcAddress isDataURI isEAN isEthereumAddress isHSL isIBAN ' +
    'isIdentityCard isISRC isLocale isMagnetURI isMimeType isOctal isPassportNumber isPostalCode isRFC3339 isRgbColor isSemVer ' +
    'isStrongPassword isTimeZone isBase58 isTaxId isISO4217CurrencyCode isISO6391 isBoolean isDate isNumber isEnum isInt isString isArray ' +
    'isObject arrayContains arrayNotContains arrayNotEmpty arrayMinSize arrayMaxSize arrayUnique isNotEmptyObject isInstance'
  ).split(' '),
)
