"""Dashboards for Grafana, made by collector-config/make_dashboards in OpenTelemetry's names."""
