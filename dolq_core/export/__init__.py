"""A run in other forms: each target is one file.

Law --expressions, templates--> python, julia, matlab, sympy, notebook     listed in `targets`
|`---------------------------> latex, mathml, sbml
`--with the log--------------> result, tables, report, bundle
"""
