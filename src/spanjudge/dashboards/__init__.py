"""Dashboards for Grafana, made by collector-config/make_dashboards.py in OpenTelemetry's names."""
