import { TextInput, type TextInputProps } from '@mantine/core';

/** Without a last time, browsers accept years of five digits and more, whose times `Date` does not parse. */
const LAST = '9999-12-31T23:59';

/** A field for a local time. The browser explains a time that is not valid, instead of submitting the form. */
export const TimeInput = (props: TextInputProps) => <TextInput type="datetime-local" max={LAST} {...props} />;
