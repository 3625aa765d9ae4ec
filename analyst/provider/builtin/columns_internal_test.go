package builtin

import "parley.dev/parley/domain"

// numberColumn is a column of so many different numbers.
func numberColumn(name string, distinct int64) domain.Column {
	return domain.Column{Name: name, Type: domain.ColumnNumber, Distinct: distinct}
}

// textColumn is a column of texts that has these values.
func textColumn(name string, values ...string) domain.Column {
	return domain.Column{Name: name, Type: domain.ColumnText, Distinct: int64(len(values)), Values: values}
}
